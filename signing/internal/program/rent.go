package program

import "github.com/walletfi/walletfi-go"

const (
	rentPerByte       = 6960     // lamports that exempt a byte from rent
	rentOverhead      = 128      // bytes that every account counts on top of its space
	maxPermittedSpace = 10 << 20 // bytes
)

// Rent is an upper bound of what an account of so much space needs, in
// lamports.
func Rent(space uint64) uint64 {
	return rentPerByte * (min(space, maxPermittedSpace) + rentOverhead)
}

// SpaceOf is the most space that lamports exempt.
func SpaceOf(lamports uint64) uint64 {
	space := lamports / rentPerByte
	return space - min(space, rentOverhead)
}

// The rent of an associated token account. A Token-2022 mint's extensions
// lengthen it; this covers all that an account takes over from its mint.
const (
	TokenAccountRent     = rentPerByte * (rentOverhead + TokenAccountSize)
	Token2022AccountRent = rentPerByte * (rentOverhead + 195)
)

// CalledRent is the rent of the longest account that a program can make in a
// call of its own.
const CalledRent = rentPerByte * (rentOverhead + 10_240)

// SOL is an amount of lamports as text.
func SOL[T ~uint64](lamports T) string { return walletfi.Amount(lamports).UI(9) + " SOL" }
