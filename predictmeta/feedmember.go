package predictmeta

import (
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/internal/wire"
)

// member is a bit for each known member of a message or a level, 0 for an unknown
// one.
type member uint16

const (
	hasType member = 1 << iota
	hasTicker
	hasYes
	hasNo
	hasBids
	hasAsks
	hasPrice
	hasQuantity
	hasSide
	hasTimestamp
)

// What messages must have beside the ticker and the time, and what levels must have.
const (
	priceMembers = hasYes | hasNo
	tradeMembers = hasPrice | hasQuantity | hasSide
	levelMembers = hasPrice | hasQuantity
)

// memberNames are those of messages and levels, and those that say that a message is none.
var memberNames = []string{
	"type", "ticker", "yes_price", "no_price", "bids", "asks", "price", "quantity", "side", "timestamp", "success", "error",
}

// memberAt reads a name and the colon after it.
func memberAt(b []byte, i int) (which member, end int) {
	name, i := wire.ASCII(b, i)
	if i < 0 {
		return 0, wire.None
	}
	if i = wire.Take(b, i, ':'); i < 0 {
		return 0, wire.None
	}
	switch string(name) {
	case "type":
		return hasType, i
	case "ticker":
		return hasTicker, i
	case "yes_price":
		return hasYes, i
	case "no_price":
		return hasNo, i
	case "bids":
		return hasBids, i
	case "asks":
		return hasAsks, i
	case "price":
		return hasPrice, i
	case "quantity":
		return hasQuantity, i
	case "side":
		return hasSide, i
	case "timestamp":
		return hasTimestamp, i
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
