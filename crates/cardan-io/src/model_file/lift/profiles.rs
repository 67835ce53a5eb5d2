//! Profiles, piece by piece.

use super::super::tables::{ArcPiece, InvolutePiece, LinePiece, Profile, ProfilePiece, Side, SplinePiece};
use cardan::contact::{self, Piece, Turn};

pub(super) fn profile(p: &contact::Profile) -> Profile {
    Profile {
        start: p.start(),
        pieces: p.pieces().iter().map(piece).collect(),
        closed: (!p.is_closed()).then_some(false),
        width: p.width(),
    }
}

fn piece(piece: &Piece) -> ProfilePiece {
    let side = |turn: &Turn| if *turn == Turn::Left { Side::Left } else { Side::Right };
    match piece {
        Piece::Line { to } => ProfilePiece::Line(LinePiece { to: *to }),
        Piece::Arc { center, to, turn } => ProfilePiece::Arc(ArcPiece { to: *to, turn: side(turn), center: Some(*center), radius: None }),
        Piece::Involute { base, to, turn } => ProfilePiece::Involute(InvolutePiece { to: *to, turn: side(turn), base: *base }),
        Piece::Spline { points, directions: [begins, ends] } => {
            ProfilePiece::Spline(SplinePiece { points: points.clone(), begins: *begins, ends: *ends })
        }
    }
}
