package signer

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const bare = `version = 1
genesis = "11111111111111111111111111111112"
[[owner]]
name = "a"
key = "11111111111111111111111111111112"
`

// TestAPolicyWithoutTextHasApproversToo: an entry of the log that has the fingerprint alone tells nothing
// of approvers, so nothing changes until the signer was opened with that policy.
func TestAPolicyWithoutTextHasApproversToo(t *testing.T) {
	was, err := ParsePolicy([]byte(bare))
	require.NoError(t, err)
	next, err := ParsePolicy([]byte(bare + "\n"))
	require.NoError(t, err)
	s := &Signer{logKey: make([]byte, 64)}
	s.policy.Store(next)
	require.NoError(t, s.recallPolicy(Entry{Seq: 3, Body: []byte(`{"was":"","is":"` + was.fingerprint + `"}`)}))
	err = s.approvedChange(&policyEntry{}, Config{Policy: next})
	require.ErrorContains(t, err, "open it with that policy first")

	s.policy.Store(was)
	require.NoError(t, s.recallPolicy(Entry{Seq: 3, Body: []byte(`{"was":"","is":"` + was.fingerprint + `"}`)}))
	assert.Equal(t, was, s.inForce.Load().policy)
}

// TestTheStricterOfTwoNodesCounts: what is gone if the transaction fails by one node, and what is gone
// besides by another one, both count.
func TestTheStricterOfTwoNodesCounts(t *testing.T) {
	gone := &Message{Grade: GradeBytes, Debits: []Debit{{Mint: "m", Amount: 100, Cost: 100}}}
	moved := &Message{Grade: GradeBytes, Debits: []Debit{{Mint: "m", Amount: 100, Exposure: 5}}}
	for _, all := range [][]*Message{{gone, moved}, {moved, gone}} {
		m := &Message{}
		for _, by := range all {
			m.take(by)
		}
		require.Len(t, m.Debits, 1)
		assert.Equal(t, int64(100), m.Debits[0].Cost)
		assert.GreaterOrEqual(t, m.Debits[0].Amount-m.Debits[0].Cost, int64(100), "a grant is for what is moved")
		assert.Equal(t, int64(5), m.Debits[0].Exposure)
	}
	m := &Message{}
	m.take(gone)
	m.take(gone)
	assert.Equal(t, gone.Debits, m.Debits)
	m.take(&Message{Debits: []Debit{{Mint: "m", Amount: none}}})
	assert.Equal(t, int64(none), m.Debits[0].Amount)
}

// TestTheGreaterFeeOfTwoNodesCounts: a grant is for the most that any node showed, whichever answers last.
func TestTheGreaterFeeOfTwoNodesCounts(t *testing.T) {
	one := &Message{fees: Fees{Network: 5, Rent: 9}, calls: []Pin{{Instructions: []string{"01"}}}}
	other := &Message{fees: Fees{Network: 7, Rent: 2}, calls: []Pin{{Instructions: []string{"02"}}}}
	for _, all := range [][]*Message{{one, other}, {other, one}} {
		m := &Message{}
		for _, by := range all {
			m.take(by)
		}
		assert.Equal(t, Fees{Network: 7, Rent: 9}, m.fees)
		assert.Len(t, m.called(), 2)
	}
}
