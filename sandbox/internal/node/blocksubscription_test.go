package node_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// TestBlockSubscription holds what is told against getBlock.
func TestBlockSubscription(t *testing.T) {
	for _, instant := range []bool{false, true} {
		s := start(t, play.Config{ManualClock: true, InstantConfirmation: instant})
		l, to := s.listen(t), s.named("to")
		config := object{"commitment": "confirmed", "encoding": "json", "transactionDetails": "full", "maxSupportedTransactionVersion": 0}
		l.say("blockSubscribe", "all", config)
		l.say("blockSubscribe", object{"mentionsAccountOrProgram": to}, config)
		l.say("blockSubscribe", object{"mentionsAccountOrProgram": s.named("another")}, config)
		l.say("blockSubscribe", object{"mentionsAccountOrProgram": to}, object{"commitment": "confirmed", "transactionDetails": "signatures"})
		signature := s.paid(t, to, 5_000_000)
		s.Advance(slots(1))
		block := s.ok(t, 0, "getBlock", first, object{"commitment": "confirmed", "rewards": false, "maxSupportedTransactionVersion": 0}).JSON.(object)
		all := block["transactions"].([]any)
		assert.Len(t, all, 2, "a vote and a payment")
		told := func() string {
			return in(first, fmt.Sprintf(`{"slot":%d,"err":null,"block":%s}`, first, kit.MustJSON(block)))
		}
		l.hears("block", 0, told())
		block["transactions"] = all[1:]
		l.hears("block", 1, told())
		delete(block, "transactions")
		block["signatures"] = []string{signature}
		l.hears("block", 3, told())
		s.Advance(slots(1))
		l.hears("block", 0, in(first+1, fmt.Sprintf(`{"slot":%d,"err":null,"block":%s}`, first+1, kit.MustJSON(
			s.ok(t, 0, "getBlock", first+1, object{"commitment": "confirmed", "rewards": false, "maxSupportedTransactionVersion": 0}).JSON))))
		l.quiet()
	}
}

func TestBlockSubscriptionRefused(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	l := s.listen(t)
	for want, params := range map[string][]any{
		"Method does not support commitment below `confirmed`":                 {"all", at("processed")},
		"Invalid Request: Invalid mentions_account_or_program provided":        {object{"mentionsAccountOrProgram": "x"}},
		"unknown variant `none`, expected `all` or `mentionsAccountOrProgram`": {"none"},
	} {
		assert.Contains(t, l.say("blockSubscribe", params...), want)
	}
}
