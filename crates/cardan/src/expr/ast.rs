//! The syntax tree of an expression. Every node knows the piece of text it was read from.

use crate::units::Dimension;

/// A piece of the source text: bytes `start` up to, not including, `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The smallest span that covers both.
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// An operator between two expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// a || b
    Or,
    /// a && b
    And,
    /// a < b
    Less,
    /// a <= b
    LessEqual,
    /// a > b
    Greater,
    /// a >= b
    GreaterEqual,
    /// a == b
    Equal,
    /// a != b
    NotEqual,
    /// a + b
    Add,
    /// a - b
    Subtract,
    /// a * b
    Multiply,
    /// a / b
    Divide,
    /// a ** b
    Power,
}

impl Operator {
    /// How strongly the operator binds; a unary sign binds with [`SIGN_BINDING`].
    pub(super) fn binding(self) -> u8 {
        match self {
            Self::Or => 1,
            Self::And => 2,
            Self::Less | Self::LessEqual | Self::Greater | Self::GreaterEqual | Self::Equal | Self::NotEqual => 3,
            Self::Add | Self::Subtract => 4,
            Self::Multiply | Self::Divide => 5,
            Self::Power => 7,
        }
    }

    /// Whether it compares two numbers.
    pub(super) fn compares(self) -> bool {
        self.binding() == Self::Less.binding()
    }
}

/// How strongly unary minus, plus and `!` bind: weaker than a power only.
pub(super) const SIGN_BINDING: u8 = 6;

/// What a node of the tree is.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// A number.
    Number(f64),
    /// A number with a unit.
    Quantity {
        /// The value in SI.
        value: f64,
        /// The dimension of the unit.
        dimension: Dimension,
    },
    /// An argument left out, as the second in DX(i,,k).
    Missing,
    /// A name, as written: a constant, the time, or the name of a marker or element as an argument.
    Name(String),
    /// −a
    Negative(Box<Expr>),
    /// !a
    Not(Box<Expr>),
    /// a ∘ b
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// name(a, b, …)
    Call {
        /// The function, as written.
        name: String,
        /// Where the name stands.
        name_span: Span,
        /// The arguments.
        arguments: Vec<Expr>,
    },
    /// IF(value: negative, zero, positive)
    SignOf {
        /// The number whose sign chooses.
        value: Box<Expr>,
        /// What to take where it is negative, zero, positive.
        cases: Box<[Expr; 3]>,
    },
}

/// An expression: a node and where it stands in the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// What it is.
    pub node: Node,
    /// The text it was read from.
    pub span: Span,
    /// Levels of nodes from here down, to keep recursion bounded.
    pub(super) depth: usize,
}

impl Expr {
    pub(super) fn new(node: Node, span: Span) -> Self {
        let below = match &node {
            Node::Number(_) | Node::Quantity { .. } | Node::Missing | Node::Name(_) => 0,
            Node::Negative(a) | Node::Not(a) => a.depth,
            Node::Binary(_, a, b) => a.depth.max(b.depth),
            Node::Call { arguments, .. } => arguments.iter().map(|a| a.depth).max().unwrap_or(0),
            Node::SignOf { value, cases } => cases.iter().map(|c| c.depth).fold(value.depth, usize::max),
        };
        Self { node, span, depth: below + 1 }
    }

    /// Calls `f` for this node and all below it.
    pub fn walk<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        f(self);
        match &self.node {
            Node::Number(_) | Node::Quantity { .. } | Node::Missing | Node::Name(_) => {}
            Node::Negative(a) | Node::Not(a) => a.walk(f),
            Node::Binary(_, a, b) => {
                a.walk(f);
                b.walk(f);
            }
            Node::Call { arguments, .. } => arguments.iter().for_each(|a| a.walk(f)),
            Node::SignOf { value, cases } => {
                value.walk(f);
                cases.iter().for_each(|c| c.walk(f));
            }
        }
    }
}
