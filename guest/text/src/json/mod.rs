//! JSON text, read where it lies.
//!
//! What models and logs send needs what `serde_json` does not offer: escaped
//! lone surrogates, numbers as the text they are, Python literals, the complete
//! part of a torn text, and skipping a log at the speed of a byte search. So
//! there are two small readers here, held to `serde_json` by property tests:
//!
//! - [`literal`]: a whole tool input, as a [`literal::Value`];
//! - [`scanner`]: a text value by value, each read or passed over; on it
//!   [`node`], one element of a history, of which only named keys are kept.
//!
//! Both borrow their text and share the decoding of strings, [`string`].
//! Writing strings that need escapes is left to `serde_json`.

pub mod literal;
pub mod node;
pub mod scanner;
pub mod string;
