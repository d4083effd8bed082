package main

import (
	"time"

	"github.com/walletfi/walletfi-go"
)

// interval is the length of a candle, and the time between two decisions.
const interval = time.Hour

// instrument is a token that the bot trades for USDC.
type instrument struct {
	Name     string    `json:"name"` // the ticker of a prediction market, or SOL
	Mint     string    `json:"mint"` // base58; of a prediction market that of yes
	Decimals int       `json:"decimals"`
	Closes   time.Time `json:"closes,omitzero"` // when the market closes, zero if it never does
}

// isSOL reports whether the instrument is held in lamports, not in a token account.
func (i instrument) isSOL() bool { return i.Mint == walletfi.NativeMint }

// candle holds an instrument's prices over one interval, in USDC.
type candle struct {
	Instrument string           `json:"instrument"`
	Start      time.Time        `json:"start"`
	Open       walletfi.Decimal `json:"open"`
	High       walletfi.Decimal `json:"high"`
	Low        walletfi.Decimal `json:"low"`
	Close      walletfi.Decimal `json:"close"`
}

// tick is the input of a decision: the newest candle of each instrument.
type tick struct {
	At      time.Time `json:"at"`
	Candles []candle  `json:"candles"`
	// Blind says that the feed is down or has gaps, so that nothing is opened.
	Blind bool `json:"blind,omitempty"`
}

// prices are the last prices by instrument.
type prices map[string]walletfi.Decimal

// source returns the ticks in order, and io.EOF after the last.
type source interface {
	instruments() []instrument
	next() (tick, error)
}
