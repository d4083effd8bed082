package otelwalletfi

import (
	"sync"
	"unicode/utf8"

	"go.opentelemetry.io/otel/attribute"
)

// The attributes that are not OpenTelemetry's own.
const (
	keyService   = attribute.Key("walletfi.service")
	keyOperation = attribute.Key("walletfi.operation")
	keyAttempts  = attribute.Key("walletfi.attempts")
	keyClass     = attribute.Key("walletfi.class")
	keyWindow    = attribute.Key("walletfi.window")
	keyRule      = attribute.Key("walletfi.rule")
	keyState     = attribute.Key("walletfi.state")
	keyDoor      = attribute.Key("walletfi.door")
	keyRound     = attribute.Key("walletfi.round")
	keyAgain     = attribute.Key("walletfi.again")
	keyEarlier   = attribute.Key("walletfi.earlier")
	keyBundle    = attribute.Key("walletfi.bundle")
	keyCount     = attribute.Key("walletfi.transactions")
	keyOutcome   = attribute.Key("walletfi.outcome")
	keyQueued    = attribute.Key("walletfi.queued")

	// With Config.Users, on spans.
	keyOwner     = attribute.Key("walletfi.owner")
	keySignature = attribute.Key("walletfi.signature")
	keyDelivery  = attribute.Key("walletfi.delivery")
)

// Bounds of what the values of attributes cost a metrics store.
const (
	maxNames = 256
	maxName  = 256      // bytes; what is longer is no name
	other    = "_OTHER" // as in OpenTelemetry's own conventions
)

// names bounds the values of each attribute whose values others make: a program can
// call any method of a node, and build transactions for any service.
type names struct {
	mu    sync.RWMutex
	known map[attribute.Key]map[string]bool
}

// of returns the attribute, with the value "_OTHER" if there were too many.
func (n *names) of(key attribute.Key, value string) attribute.KeyValue {
	return key.String(n.bounded(key, value))
}

func (n *names) bounded(key attribute.Key, value string) string {
	if len(value) > maxName || !utf8.ValidString(value) { // an exporter refuses a whole batch for one
		return other
	}
	n.mu.RLock()
	known, full := n.known[key][value], len(n.known[key]) >= maxNames
	n.mu.RUnlock()
	switch {
	case known:
		return value
	case full:
		return other
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.known == nil {
		n.known = map[attribute.Key]map[string]bool{}
	}
	if n.known[key] == nil {
		n.known[key] = map[string]bool{}
	}
	if !n.known[key][value] && len(n.known[key]) >= maxNames {
		return other
	}
	n.known[key][value] = true
	return value
}
