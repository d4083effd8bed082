// Package feedtext reads the parts of the feed's messages without reflection: the names, the
// times, and the texts and prices that repeat.
package feedtext

import (
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/internal/wire"
)

// Member is a bit for each known member of a message or a level, 0 for an unknown
// one.
type Member uint16

// The members.
const (
	HasType Member = 1 << iota
	HasTicker
	HasYes
	HasNo
	HasBids
	HasAsks
	HasPrice
	HasQuantity
	HasSide
	HasTimestamp
)

// What messages must have besides the ticker and the time, and what levels must have.
const (
	PriceMembers = HasYes | HasNo
	TradeMembers = HasPrice | HasQuantity | HasSide
	LevelMembers = HasPrice | HasQuantity
)

// memberNames are those of messages and levels, and those that say that a message is none.
var memberNames = []string{
	"type", "ticker", "yes_price", "no_price", "bids", "asks", "price", "quantity", "side", "timestamp",
	"success", "error",
}

// MemberAt reads a name and the colon after it.
func MemberAt(b []byte, i int) (which Member, end int) {
	name, i := wire.ASCII(b, i)
	if i < 0 {
		return 0, wire.None
	}
	if i = wire.Take(b, i, ':'); i < 0 {
		return 0, wire.None
	}
	switch string(name) {
	case "type":
		return HasType, i
	case "ticker":
		return HasTicker, i
	case "yes_price":
		return HasYes, i
	case "no_price":
		return HasNo, i
	case "bids":
		return HasBids, i
	case "asks":
		return HasAsks, i
	case "price":
		return HasPrice, i
	case "quantity":
		return HasQuantity, i
	case "side":
		return HasSide, i
	case "timestamp":
		return HasTimestamp, i
	}
	if resembles(name) {
		return 0, wire.None
	}
	return 0, i
}

// resembles reports whether encoding/json, which ignores case, takes name for a
// known one.
func resembles(name []byte) bool {
	return slices.ContainsFunc(memberNames, func(known string) bool {
		return len(known) == len(name) && strings.EqualFold(known, string(name))
	})
}
