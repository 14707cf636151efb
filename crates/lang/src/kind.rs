//! The kinds of tokens and nodes of the syntax tree.

/// Declares the kinds, each with its name for people.
macro_rules! kinds {
    ($($name:ident: $what:literal,)*) => {
        /// The kind of a token or a node.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u16)]
        pub enum Kind {
            $(#[doc = $what] $name,)*
        }

        const ALL: &[Kind] = &[$(Kind::$name),*];

        impl Kind {
            /// Returns the kind's name for people; punctuation and words are in backticks.
            #[must_use]
            pub fn what(self) -> &'static str {
                match self {
                    $(Self::$name => $what,)*
                }
            }
        }
    };
}

kinds! {
    // Tokens without meaning.
    Whitespace: "white space",
    Comment: "a comment",
    Stray: "a stray character",
    // Tokens.
    Number: "a number",
    Name: "a name",
    Text: "a text in quotation marks",
    ParamWord: "`param`",
    ForWord: "`for`",
    InWord: "`in`",
    LetWord: "`let`",
    AndWord: "`and`",
    OrWord: "`or`",
    NotWord: "`not`",
    TrueWord: "`true`",
    FalseWord: "`false`",
    Semicolon: "`;`",
    Comma: "`,`",
    Dot: "`.`",
    DotDot: "`..`",
    Ellipsis: "`...`",
    OpenParen: "`(`",
    CloseParen: "`)`",
    OpenBracket: "`[`",
    CloseBracket: "`]`",
    OpenBrace: "`{`",
    CloseBrace: "`}`",
    Equals: "`=`",
    Becomes: "`:=`",
    PlusPlus: "`++`",
    Plus: "`+`",
    Minus: "`-`",
    Star: "`*`",
    Slash: "`/`",
    Percent: "`%`",
    Less: "`<`",
    LessEqual: "`<=`",
    Greater: "`>`",
    GreaterEqual: "`>=`",
    EqualEqual: "`==`",
    NotEqual: "`!=`",
    AndAnd: "`&&`",
    OrOr: "`||`",
    Bang: "`!`",
    EndOfFile: "the end of the file",
    // Nodes.
    File: "a file",
    Include: "an `include`",
    Extern: "a declared action",
    Param: "a named constant",
    Definition: "a definition",
    For: "a loop",
    Block: "a block",
    Parameters: "parameters",
    Let: "a `let`",
    Cases: "condition cases",
    Case: "a condition case",
    Drop: "the action `drop`",
    Mark: "the action `mark`",
    Notify: "the action `notify`",
    Modify: "the action `modify`",
    Enter: "the action `enter`",
    Routine: "a declared action with its arguments",
    NameExpr: "a named thing",
    FieldExpr: "a property",
    IndexExpr: "a member of a family",
    CallExpr: "a call",
    Arguments: "arguments",
    ParenExpr: "a parenthesis",
    UnaryExpr: "an operator before its operand",
    BinaryExpr: "an operator between its operands",
    Literal: "a number or truth value",
    Range: "a range",
    Error: "what could not be read",
}

impl Kind {
    /// Whether the parser skips tokens of this kind.
    #[must_use]
    pub fn is_trivia(self) -> bool {
        matches!(self, Self::Whitespace | Self::Comment | Self::Stray)
    }

    /// Whether the kind is a reserved word.
    #[must_use]
    pub fn is_word(self) -> bool {
        (Self::ParamWord..=Self::FalseWord).contains(&self)
    }

    /// Returns the reserved word with this spelling.
    #[must_use]
    pub fn of_word(text: &str) -> Option<Self> {
        Some(match text {
            "param" => Self::ParamWord,
            "for" => Self::ForWord,
            "in" => Self::InWord,
            "let" => Self::LetWord,
            "and" => Self::AndWord,
            "or" => Self::OrWord,
            "not" => Self::NotWord,
            "true" => Self::TrueWord,
            "false" => Self::FalseWord,
            _ => return None,
        })
    }
}

/// Connects [`Kind`] with the trees of `rowan`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OpenQueue {}

impl rowan::Language for OpenQueue {
    type Kind = Kind;

    fn kind_from_raw(raw: rowan::SyntaxKind) -> Kind {
        ALL.get(usize::from(raw.0)).copied().unwrap_or(Kind::Error)
    }

    fn kind_to_raw(kind: Kind) -> rowan::SyntaxKind {
        rowan::SyntaxKind(kind as u16)
    }
}

/// A node of the syntax tree.
pub type SyntaxNode = rowan::SyntaxNode<OpenQueue>;
/// A token of the syntax tree.
pub type SyntaxToken = rowan::SyntaxToken<OpenQueue>;
/// A node or a token.
pub type SyntaxElement = rowan::SyntaxElement<OpenQueue>;
