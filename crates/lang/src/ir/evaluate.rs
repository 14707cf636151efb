//! Evaluates expressions, and lists what they read.

use super::products;
use super::{Arith, BufferField, Cond, Num, PacketRef, QueueField, Read, Relation};
use crate::number::{Fixed, Ratio};

impl Arith {
    /// Returns the exact result.
    ///
    /// The operands are constants or numbers at run time, so their denominators are small. If the numerator of a product does not fit, the
    /// product is far beyond the range of numbers, and any number there will do.
    #[must_use]
    pub fn exact(self, left: Ratio, right: Ratio) -> Ratio {
        let zero = Ratio::from_integer(0);
        match self {
            Self::Add => left + right,
            Self::Sub => left - right,
            Self::Mul => match left.numer().checked_mul(*right.numer()) {
                Some(numerator) => Ratio::new(numerator, left.denom() * right.denom()),
                None if (*left.numer() < 0) == (*right.numer() < 0) => Ratio::from_integer(i64::MAX.into()),
                None => Ratio::from_integer(i64::MIN.into()),
            },
            Self::Div if right == zero => zero,
            Self::Div => left / right,
            Self::Mod if right == zero => zero,
            Self::Mod => left - right * (left / right).floor(),
            Self::Min => left.min(right),
            Self::Max => left.max(right),
        }
    }
}

impl Relation {
    /// Whether the relation holds.
    #[must_use]
    pub fn holds<T: Ord + Copy>(self, left: T, right: T) -> bool {
        match self {
            Self::Less => left < right,
            Self::LessEqual => left <= right,
            Self::Greater => left > right,
            Self::GreaterEqual => left >= right,
            Self::Equal => left == right,
            Self::NotEqual => left != right,
        }
    }
}

impl Num {
    /// Returns the value: every operation is exact, and its result is rounded down and clamped to the numbers at run time.
    ///
    /// `read` returns the values of properties.
    pub fn value(&self, read: &mut dyn FnMut(Read) -> Fixed) -> Ratio {
        match self {
            Self::Const(number) => *number,
            Self::Read(what) => read(*what).exact(),
            Self::Neg(operand) => Fixed::floor(-operand.value(read)).exact(),
            Self::Arith(arith, left, right) => {
                let (left, right) = (left.value(read), right.value(read));
                Fixed::floor(arith.exact(left, right)).exact()
            }
        }
    }

    /// Calls `see` with every read of the number.
    pub fn reads(&self, see: &mut dyn FnMut(Read)) {
        self.numbers(&mut |number| number.is_read(see));
    }
}

impl Cond {
    /// Whether the condition holds.
    pub fn holds(&self, read: &mut dyn FnMut(Read) -> Fixed) -> bool {
        match self {
            Self::Const(value) => *value,
            Self::Compare(relation, left, right) => relation.holds(left.value(read), right.value(read)),
            Self::CompareProducts(relation, products) => {
                let [left, right] = &**products;
                let mut exact = |product: &[Num; 2]| products::exact([product[0].value(read), product[1].value(read)]);
                relation.holds(exact(left), exact(right))
            }
            Self::Not(operand) => !operand.holds(read),
            Self::And(left, right) => left.holds(read) && right.holds(read),
            Self::Or(left, right) => left.holds(read) || right.holds(read),
        }
    }

    /// Calls `see` with every read of the condition.
    pub fn reads(&self, see: &mut dyn FnMut(Read)) {
        self.numbers(&mut |number| number.is_read(see));
    }

    /// Whether the condition reads a value that dropping changes: an occupancy, or the next packet of a queue.
    #[must_use]
    pub fn reads_occupancy(&self) -> bool {
        let mut found = false;
        self.reads(&mut |read| {
            found |= matches!(
                read,
                Read::Queue(_, QueueField::CurrSize | QueueField::CurrProcessing)
                    | Read::Buffer(_, BufferField::CurrSize)
                    | Read::Packet(PacketRef::Head(_), _)
            );
        });
        found
    }

    /// Whether the condition reads a property of the arriving packet.
    #[must_use]
    pub fn reads_arriving(&self) -> bool {
        let mut found = false;
        self.reads(&mut |read| found |= matches!(read, Read::Packet(PacketRef::Arriving, _)));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::MAX_DENOMINATOR;

    fn number(value: i128) -> Box<Num> {
        Box::new(Num::Const(Ratio::from_integer(value)))
    }

    #[test]
    fn operations_are_exact_and_then_rounded_down() {
        let third = Num::Arith(Arith::Div, number(1), number(3));
        assert_eq!(third.value(&mut |_| Fixed(0)), Ratio::new(21_845, 65_536));
        let modulus = Num::Arith(Arith::Mod, number(-7), number(3));
        assert_eq!(modulus.value(&mut |_| Fixed(0)), Ratio::from_integer(2));
        let by_zero = Num::Arith(Arith::Div, number(1), number(0));
        assert_eq!(by_zero.value(&mut |_| Fixed(0)), Ratio::from_integer(0));
    }

    #[test]
    fn products_of_the_largest_numbers_are_cut() {
        let read = Box::new(Num::Read(Read::Now));
        let square = Num::Arith(Arith::Mul, read.clone(), read);
        assert_eq!(Fixed::floor(square.value(&mut |_| Fixed(i64::MAX))), Fixed(i64::MAX));
        assert_eq!(Fixed::floor(square.value(&mut |_| Fixed(i64::MIN))), Fixed(i64::MAX));
    }

    #[test]
    fn products_beyond_128_bits_are_cut() {
        let greatest = Ratio::new((1 << 47) * MAX_DENOMINATOR - 1, MAX_DENOMINATOR);
        for (constant, read, expected) in [
            (greatest, i64::MAX, i64::MAX),
            (-greatest, i64::MAX, i64::MIN),
            (-greatest, i64::MIN, i64::MAX),
            (greatest, i64::MIN, i64::MIN),
        ] {
            let product = Num::Arith(Arith::Mul, Box::new(Num::Const(constant)), Box::new(Num::Read(Read::Now)));
            assert_eq!(Fixed::floor(product.value(&mut |_| Fixed(read))), Fixed(expected));
        }
    }
}
