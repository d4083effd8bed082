package main

import (
	"time"

	"github.com/walletfi/walletfi-go"
)

// side is the effect of an order on a position.
type side string

const (
	buy     side = "buy"
	sell    side = "sell"
	prepare side = "prepare" // makes a new market tradable, which costs rent
)

// order is a decision of the bot: how much to give, in smallest units of USDC for a
// purchase and of the instrument for a sale.
type order struct {
	Key        string          `json:"key"` // names it for ever: the wallet pays a key once
	Instrument string          `json:"instrument"`
	Side       side            `json:"side"`
	Amount     walletfi.Amount `json:"amount"`
	Tip        walletfi.Amount `json:"tip,omitempty"` // lamports
	Reason     string          `json:"reason"`
	At         time.Time       `json:"at"`

	// What the service built, known when the order is written down: it is all that a
	// restart needs besides the wallet's journal.
	Polled    bool   `json:"polled,omitempty"` // it is filled after its transaction
	LastValid uint64 `json:"lastValid,omitempty"`
	slippage  int    // basis points
}

// change is the effect of one executed transaction on the wallet.
type change struct {
	Signature string           `json:"signature,omitempty"` // base58; empty for a payment that the service does not name
	Lamports  int64            `json:"lamports"`
	Tokens    map[string]int64 `json:"tokens,omitempty"` // by mint, smallest units
	Fee       walletfi.Amount  `json:"fee,omitempty"`    // lamports that the wallet paid for it, part of Lamports
}

// outcome is how an order ended.
type outcome string

const (
	confirmed outcome = "confirmed"
	partial   outcome = "filled in part" // the rest was paid back
	unfilled  outcome = "not filled"     // all was paid back
	failed    outcome = "failed"         // executed with an error: only the fee is gone
	expired   outcome = "expired"        // it can never execute
	notSent   outcome = "not sent"
)

// settlement is how an order ended and what that changed.
type settlement struct {
	Key     string    `json:"key"`
	Outcome outcome   `json:"outcome"`
	At      time.Time `json:"at"`
	Changes []change  `json:"changes,omitempty"`
	Why     string    `json:"why,omitempty"` // it did not come to what was wanted
}

// executed reports whether something was traded.
func (o outcome) executed() bool { return o == confirmed || o == partial }
