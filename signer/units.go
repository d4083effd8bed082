package signer

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// Mint is a token's mint, or SOL.
type Mint string

// UnmarshalText reads base58 or "SOL".
func (m *Mint) UnmarshalText(text []byte) error {
	if string(text) == "SOL" {
		*m = Mint(walletfi.NativeMint)
		return nil
	}
	key, err := signing.ParsePublicKey(string(text))
	*m = Mint(key.String())
	return err
}

// UnmarshalJSON also reads the names of debits that are of no mint, which the log has.
func (m *Mint) UnmarshalJSON(text []byte) error {
	var name string
	if err := json.Unmarshal(text, &name); err != nil {
		return err
	}
	of, traded := strings.CutPrefix(name, tradedMint)
	if *m = Mint(name); *m == turnover || *m == loss {
		return nil
	}
	err := m.UnmarshalText([]byte(of))
	if traded {
		*m = tradedMint + *m
	}
	return err
}

// String is "SOL" or base58.
func (m Mint) String() string {
	if m == Mint(walletfi.NativeMint) {
		return "SOL"
	}
	return string(m)
}

// Duration is a length of time as in "24h" or "30m".
type Duration time.Duration

// UnmarshalText reads what time.ParseDuration does.
func (d *Duration) UnmarshalText(text []byte) error {
	read, err := time.ParseDuration(string(text))
	*d = Duration(read)
	return err
}

// MarshalText writes what UnmarshalText reads.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// String is the text of time.Duration.
func (d Duration) String() string {
	text := time.Duration(d).String()
	text = strings.TrimSuffix(text, "0s")
	if short := strings.TrimSuffix(text, "h0m"); short != text {
		return short + "h"
	}
	return text
}

// share is a part of an amount in percent, without overflow.
func share(most, percent int64) int64 {
	return most/100*percent + most%100*percent/100
}

// most is the amount of a debit as the store holds it; what is beyond that is above any ceiling.
func most(amount uint64) int64 { return int64(min(amount, math.MaxInt64)) }

// ceiling is the ceiling of a mint. Without one it is 0.
func ceiling(all []Ceiling, mint Mint) Ceiling {
	if c := first(all, func(c Ceiling) bool { return c.Mint == mint }); c != nil {
		return *c
	}
	return Ceiling{Mint: mint}
}

// exposure is the most of a mint that unproven code may reach.
func (o *Owner) exposure(mint Mint) int64 {
	if e := first(o.Exposure, func(e Exposure) bool { return e.Mint == mint }); e != nil {
		return e.Most
	}
	return 0
}

// first is a pointer to the first element that is wanted, nil if there is none.
func first[T any](all []T, wanted func(T) bool) *T {
	i := slices.IndexFunc(all, wanted)
	if i < 0 {
		return nil
	}
	return &all[i]
}
