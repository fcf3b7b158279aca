use super::*;

fn todo(id: &str) -> Todo {
    Todo {
        id: id.into(),
        content: format!("item {id}"),
        status: Status::Pending,
        description: None,
    }
}

fn list(ids: &[&str]) -> List {
    let mut list = List::default();
    list.replace(ids.iter().map(|id| todo(id)).collect());
    list
}

#[test]
fn numbers_go_on_after_the_greatest_ever_held() {
    let mut list = list(&["3", "x", "12"]);
    list.replace(Vec::new());
    assert_eq!(list.create(None, "a".into(), None), 13);
    list.delete("13");
    assert_eq!(list.create(None, "b".into(), None), 14);
}

#[test]
fn a_made_up_giant_id_does_not_use_up_the_numbers() {
    let mut list = list(&["1000000000", "4294967296", "99999999999999999999"]);
    assert_eq!(list.create(None, "a".into(), None), 1);
    let mut list = self::list(&["999999999", "1000000000"]);
    assert_eq!(list.create(None, "a".into(), None), 1_000_000_001);
    list.delete("1000000001");
    assert_eq!(list.create(None, "b".into(), None), 1_000_000_002);
}

#[test]
fn a_recorded_number_is_kept_unless_it_is_taken() {
    let mut list = List::default();
    assert_eq!(list.create(Some(7), "a".into(), None), 7);
    assert_eq!(list.create(Some(7), "b".into(), None), 8);
    assert_eq!(
        list.create(Some(4_000_000_000), "c".into(), None),
        4_000_000_000
    );
    assert_eq!(list.create(None, "d".into(), None), 9);
}

#[test]
fn deleted_numbers_are_remembered_in_any_order_in_little_room() {
    let mut list = List::default();
    for _ in 0..9 {
        list.create(None, "a".into(), None);
    }
    for id in ["5", "3", "4", "9", "1", "2"] {
        list.delete(id);
        assert!(list.is_sound());
    }
    assert_eq!(list.deleted, [(1, 5), (9, 9)]);
    assert_eq!(
        list.numbers().take(4).collect::<Vec<_>>(),
        [6, 7, 8, 10],
        "these are free"
    );
}

#[test]
fn a_free_number_behind_a_wide_gap_is_found_at_once() {
    let list = List {
        greatest: 999_999_999,
        deleted: vec![(1, 499_999_999), (500_000_001, 999_999_999)],
        ..List::default()
    };
    assert!(list.is_sound());
    let free: Vec<u32> = list.numbers().take(2).collect();
    assert_eq!(free, [500_000_000, 1_000_000_000]);
}

#[test]
fn a_list_that_has_counted_to_the_end_of_all_numbers_is_not_sound() {
    let list = List {
        todos: vec![todo("4294967295")],
        greatest: u32::MAX,
        deleted: Vec::new(),
    };
    assert!(!list.is_sound());
}

#[test]
fn only_digits_are_a_number() {
    assert_eq!(number("12"), Some(12));
    assert_eq!(number("007"), Some(7));
    for id in ["", "0", "-1", "+1", "1.0", "١", "4294967296"] {
        assert_eq!(number(id), None, "{id}");
    }
}

#[test]
fn a_list_that_cannot_have_come_about_is_not_sound() {
    let sound = list(&["1", "2"]);
    assert!(sound.is_sound());
    let twice = List {
        todos: vec![todo("1"), todo("1")],
        ..sound.clone()
    };
    assert!(!twice.is_sound());
    let uncounted = List {
        greatest: 1,
        ..sound.clone()
    };
    assert!(!uncounted.is_sound());
    for deleted in [
        vec![(2, 1)],
        vec![(0, 1)],
        vec![(1, 1), (2, 2)],
        vec![(1, 5)],
    ] {
        assert!(
            !List {
                deleted,
                ..sound.clone()
            }
            .is_sound()
        );
    }
}

#[test]
fn a_number_deleted_between_two_others_does_not_use_up_the_gaps() {
    let mut list = List::default();
    for _ in 0..9 {
        list.create(None, "a".into(), None);
    }
    for id in ["1", "9", "5"] {
        list.delete(id);
    }
    let free: Vec<u32> = list.numbers().take(7).collect();
    assert_eq!(free, [2, 3, 4, 6, 7, 8, 10]);
}

#[test]
fn a_recorded_number_below_the_greatest_is_kept_too_unless_it_is_taken() {
    let mut list = list(&["2", "5"]);
    assert_eq!(list.create(Some(2), "a".into(), None), 6);
    assert_eq!(list.create(Some(3), "b".into(), None), 3);
    assert_eq!(list.create(None, "c".into(), None), 7);
}
