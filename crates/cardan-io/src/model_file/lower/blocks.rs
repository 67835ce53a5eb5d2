//! Blocks.

use super::super::problem::Span;
use super::super::tables::{self, Given};
use super::Lowering;
use cardan::control::{Block, Value};

impl Lowering<'_> {
    pub(super) fn block(&mut self, name: &str, span: &Span, t: &tables::Block) -> Option<()> {
        self.place("block", name, span)?;
        let mut block = Block::new(&t.kind, name);
        for (key, given) in &t.values {
            let value = match given {
                Given::Signal(signal) => Value::Text(self.text("block", name, key, signal)),
                Given::Signals(signals) => Value::Texts(signals.iter().map(|signal| self.text("block", name, key, signal)).collect()),
                Given::Number(x) => Value::Number(*x),
                Given::Numbers(x) => Value::Numbers(x.clone()),
                Given::Matrix(x) => Value::Matrix(x.clone()),
                Given::Word(word) => Value::Text(word.clone()),
                Given::Flag(flag) => Value::Flag(*flag),
            };
            block = block.set(key, value);
        }
        self.model.add_block(block);
        Some(())
    }
}
