//! The component, emptied: what a call costs when it does nothing.

use crate::Result;
use agent_todo_host::COMPONENT;

/// A core module of the same exports as the component's own, with the least
/// that a call can do: every result is zero bytes, an empty text or list.
const MODULE: &str = include_str!("empty.wat");

/// Where the first section of a component begins.
const HEADER: usize = 8;
/// The section that holds a core module.
const CORE_MODULE: u8 = 1;

/// [`COMPONENT`] with its core module replaced by [`MODULE`]. The rest, types
/// and adapters, stays, so that the interface can't differ.
pub fn component() -> Result<Vec<u8>> {
    let odd = || "the component does not begin with its core module";
    let (header, sections) = COMPONENT.split_at_checked(HEADER).ok_or_else(odd)?;
    let (&id, section) = sections.split_first().ok_or_else(odd)?;
    if id != CORE_MODULE {
        return Err(odd().into());
    }
    let (length, module) = leb128(section).ok_or_else(odd)?;
    let rest = module.get(length..).ok_or_else(odd)?;

    let empty = wat::parse_str(MODULE)?;
    let mut component = header.to_vec();
    component.push(CORE_MODULE);
    push_leb128(&mut component, empty.len());
    component.extend(empty);
    component.extend(rest);
    Ok(component)
}

/// A length, and what follows it.
fn leb128(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let mut value = 0;
    for (at, byte) in bytes.iter().take(5).enumerate() {
        value |= usize::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return Some((value, bytes.get(at + 1..)?));
        }
    }
    None
}

fn push_leb128(out: &mut Vec<u8>, mut value: usize) {
    while value > 0x7f {
        out.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
