//! A [`Value`] as the data of derived types: what saved state is read with.
//!
//! `serde_json` could read it too; this takes a fifth of its room in the
//! component, because it knows no floating-point numbers and writes no
//! messages.

use crate::json::literal::Value;
use serde::de::{self, Deserialize, DeserializeSeed, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;
use std::borrow::Cow;
use std::fmt;

/// The value is not of the type: there is no more to say about a text that
/// this crate did not write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch;

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value is not of the type")
    }
}

impl std::error::Error for Mismatch {}

impl de::Error for Mismatch {
    fn custom<T: fmt::Display>(_: T) -> Mismatch {
        Mismatch
    }
}

/// Reads `value` as a `T`.
pub fn typed<'v, T: Deserialize<'v>>(value: &'v Value<'_>) -> Result<T, Mismatch> {
    T::deserialize(Typed(value))
}

struct Typed<'v, 'a>(&'v Value<'a>);

impl<'v> de::Deserializer<'v> for Typed<'v, '_> {
    type Error = Mismatch;

    fn deserialize_bool<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        match self.0 {
            Value::Bool(value) => visitor.visit_bool(*value),
            _ => Err(Mismatch),
        }
    }

    fn deserialize_u32<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        match self.0 {
            // `parse` would also take a plus sign and leading zeros.
            Value::Number("0") => visitor.visit_u32(0),
            Value::Number(digits) if !digits.starts_with('0') => {
                visitor.visit_u32(digits.parse().map_err(|_| Mismatch)?)
            }
            _ => Err(Mismatch),
        }
    }

    fn deserialize_str<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        match self.0 {
            Value::Text(text) => visitor.visit_borrowed_str(text),
            _ => Err(Mismatch),
        }
    }

    fn deserialize_string<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_seq<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        match self.0 {
            Value::List(values) => visitor.visit_seq(Elements(values.iter())),
            _ => Err(Mismatch),
        }
    }

    fn deserialize_tuple<V: Visitor<'v>>(
        self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        match self.0 {
            Value::List(values) if values.len() == length => {
                visitor.visit_seq(Elements(values.iter()))
            }
            _ => Err(Mismatch),
        }
    }

    fn deserialize_struct<V: Visitor<'v>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        match self.0 {
            Value::Object(entries) => visitor.visit_map(Entries {
                entries: entries.iter(),
                value: None,
            }),
            _ => Err(Mismatch),
        }
    }

    fn deserialize_enum<V: Visitor<'v>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        match self.0 {
            Value::Text(word) => visitor.visit_enum(word.as_ref().into_deserializer()),
            _ => Err(Mismatch),
        }
    }

    fn deserialize_any<V: Visitor<'v>>(self, _: V) -> Result<V::Value, Mismatch> {
        Err(Mismatch)
    }

    forward_to_deserialize_any! {
        <V: Visitor<'v>>
        i8 i16 i32 i64 u8 u16 u64 f32 f64 char bytes byte_buf unit unit_struct newtype_struct
        tuple_struct map ignored_any
    }
}

struct Elements<'v, 'a>(std::slice::Iter<'v, Value<'a>>);

impl<'v> de::SeqAccess<'v> for Elements<'v, '_> {
    type Error = Mismatch;

    fn next_element_seed<T: DeserializeSeed<'v>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Mismatch> {
        self.0
            .next()
            .map(|value| seed.deserialize(Typed(value)))
            .transpose()
    }
}

struct Entries<'v, 'a> {
    entries: std::slice::Iter<'v, (Cow<'a, str>, Value<'a>)>,
    value: Option<&'v Value<'a>>,
}

impl<'v> de::MapAccess<'v> for Entries<'v, '_> {
    type Error = Mismatch;

    fn next_key_seed<K: DeserializeSeed<'v>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Mismatch> {
        let Some((key, value)) = self.entries.next() else {
            return Ok(None);
        };
        self.value = Some(value);
        seed.deserialize(de::value::BorrowedStrDeserializer::new(key))
            .map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'v>>(&mut self, seed: V) -> Result<V::Value, Mismatch> {
        seed.deserialize(Typed(self.value.take().ok_or(Mismatch)?))
    }
}
