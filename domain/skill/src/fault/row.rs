//! The form of a diagnostic: the macro that makes an enum and its rows from a table.

use crate::model::EmbeddingModel;
use crate::reader::{Reader, Wording};
use std::borrow::Cow;
use std::path::PathBuf;

/// One row of the table, for `skc explain` and tests.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Such as `E001`.
    pub code: &'static str,
    /// Kebab-case name, such as `skill-not-found`.
    pub name: &'static str,
    /// The message with `<placeholders>`.
    pub message: &'static str,
    /// When it occurs.
    pub meaning: &'static str,
    /// What to do about it.
    pub remedy: &'static str,
    /// A command line, or part of a file, that causes or fixes it.
    pub example: &'static str,
}

/// The command that installs the model with this name or in this folder.
pub(super) fn model_install(model: &str) -> String {
    let name = model.rsplit(['/', '\\']).next().unwrap_or_default();
    EmbeddingModel::named(name).map_or_else(|| "model install".to_owned(), EmbeddingModel::install_command)
}

/// The type of a field: text unless its row says otherwise.
macro_rules! field_type {
    () => {
        String
    };
    ($type:ty) => {
        $type
    };
}

/// Formats a field for a reader.
pub(super) trait ShownField {
    fn shown(&self, to: Reader) -> Cow<'_, str>;
}

impl ShownField for Wording {
    fn shown(&self, to: Reader) -> Cow<'_, str> {
        self.of(to)
    }
}

impl ShownField for String {
    fn shown(&self, _: Reader) -> Cow<'_, str> {
        self.into()
    }
}

impl ShownField for PathBuf {
    fn shown(&self, _: Reader) -> Cow<'_, str> {
        self.to_string_lossy()
    }
}

impl ShownField for &'static str {
    fn shown(&self, _: Reader) -> Cow<'_, str> {
        (*self).into()
    }
}

macro_rules! shown_by_display {
    ($($type:ty),*) => {
        $(impl ShownField for $type {
            fn shown(&self, _: Reader) -> Cow<'_, str> {
                self.to_string().into()
            }
        })*
    };
}

shown_by_display!(bool, u32, u64, usize, i128);

macro_rules! diagnostics {
    ($to:ident; $(#[$doc:meta])* $enum:ident, $rows:ident; $(
        $code:ident $variant:ident $name:literal { $($field:ident $(: $type:ty)?),* }
        $message:literal, $template:literal;
        $(agents $agents:literal;)?
        $(hint $hint:expr;)?
        means $meaning:literal; do $remedy:literal; like $example:literal;
    )*) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum $enum {
            $(#[doc = concat!("`` ", $template, " ``")] $variant { $(#[doc = concat!("`<", stringify!($field), ">`")] $field: field_type!($($type)?)),* },)*
        }

        /// The rows of the enum, sorted by code.
        pub const $rows: &[Row] = &[$(Row {
            code: stringify!($code), name: $name, message: $template,
            meaning: $meaning, remedy: $remedy, example: $example,
        }),*];

        impl $enum {
            /// The code, such as `E001`. Codes are never reused or changed.
            pub fn code(&self) -> &'static str {
                match self { $(Self::$variant { .. } => stringify!($code),)* }
            }

            /// The message, worded for a reader.
            #[allow(unused_variables)]
            pub fn message(&self, $to: Reader) -> String {
                match self {
                    $(Self::$variant { $($field),* } => {
                        $(let $field = $field.shown($to);)*
                        $(if let Reader::Agent(_) = $to { return format!($agents) })?
                        format!($message)
                    })*
                }
            }

            /// What the reader can do now, if there is more to say than the message does.
            #[allow(unused_variables, clippy::redundant_clone)]
            pub fn hint(&self, $to: Reader) -> Option<String> {
                match self {
                    $(Self::$variant { $($field),* } => { let hint: Option<String> = None; $(let hint = $hint;)? hint })*
                }
            }
        }

        impl fmt::Display for $enum {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.message(Reader::Person))
            }
        }

        #[cfg(test)]
        impl $enum {
            /// One value of each variant, with fields made by `Sample`.
            pub(super) fn samples(of: super::tests::Sample) -> Vec<Self> {
                use super::tests::FromSample;
                vec![$(Self::$variant { $($field: of.field(stringify!($field))),* }),*]
            }
        }
    };
}
