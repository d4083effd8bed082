package signer_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

// floorText is a policy of trades with a pin whose calls have a floor: of what comes to account 1, at byte 1.
func floorText(change ...string) string {
	text := strings.Replace(tradesText(), "must_be_ours = [1]", "must_be_ours = [1]\nfloor = {least = 1, to = 1}", 1)
	text = strings.Replace(text, `may_write = ["owner"]`, `may_write = ["owner", "received"]`, 1)
	exposed := fmt.Sprintf("[[owner.exposure]]\nmint = %q\nmost = 1000\n[[client]]", mint)
	text = strings.Replace(text, "[[client]]", exposed, 1)
	return strings.NewReplacer(change...).Replace(text)
}

// swapCall is a call of the pinned program that pays at least so many tokens to an account.
func swapCall(least uint64, to signing.PublicKey) signingtest.Instruction {
	return signingtest.Instruction{
		Program: program, Data: binary.LittleEndian.AppendUint64([]byte{1}, least),
		Accounts: []signingtest.Account{{Key: owner, Signer: true, Writable: true}, {Key: to, Writable: true}},
	}
}

// swap is a request to call the program, which the simulations show to take half a SOL.
func (m *market) swap(all ...signingtest.Instruction) signing.SetRequest {
	m.takes(3*sol, sol/2)
	q := m.exchange(walletfi.Asset{Mint: walletfi.NativeMint, Amount: sol / 2}, mint.String(), all...)
	q.Unsigned.Intent.Service, q.Unsigned.Intent.CoSigners = "lending", nil
	return q
}

func TestACallWithAFloorIsATrade(t *testing.T) {
	m := newMarket(t, 2, floorText())
	got := m.judged(m.swap(swapCall(99_000_000, ata(owner))))
	assert.Equal(t, signer.GradeSimulation, got.Grade)
	require.NotNil(t, got.Trade)
	assert.Equal(t, map[string]int64{
		"SOL": baseFee, "traded:" + walletfi.NativeMint: sol / 2, "turnover": 100_000_000, "loss": 1_000_000,
	}, kinds(got))
	for _, d := range got.Debits {
		if d.Mint == walletfi.NativeMint {
			assert.Equal(t, int64(3*sol), d.Exposure, "the program may take more than it showed")
		}
	}

	tx := m.signed(m.swap(swapCall(99_000_000, ata(owner))))
	require.True(t, m.land(tx, ""))
	m.tookOf(tx, 3*sol, sol/2+baseFee)
	m.settle()
	assert.Equal(t, int64(5*sol-baseFee), m.left(), "what was sold counts as turnover alone")
	m.signed(m.pay(payee, 1))
	m.reopen()
	assert.Less(t, m.left(), int64(5*sol-baseFee))
}

// TestATradeThatTakesMore: what a program took beyond its simulation is counted, and freezes, as without a floor.
func TestATradeThatTakesMore(t *testing.T) {
	m := newMarket(t, 2, floorText())
	tx := m.signed(m.swap(swapCall(99_000_000, ata(owner))))
	require.True(t, m.land(tx, ""))
	m.tookOf(tx, 3*sol, 2*sol)
	m.settle()
	m.refused("trader", m.pay(payee, 1), signer.CodeFrozen)
	assert.Equal(t, int64(5*sol-baseFee-(2*sol-sol/2-baseFee)), m.left())
}

func TestWhatHasNoFloor(t *testing.T) {
	good := swapCall(99_000_000, ata(owner))
	plain := map[string]int64{"SOL": sol/2 + baseFee}
	for name, test := range map[string]struct {
		text string
		all  []signingtest.Instruction
	}{
		"a pin without a floor": {floorText("floor = {least = 1, to = 1}", ""), []signingtest.Instruction{good}},
		"too low a floor":       {floorText(), []signingtest.Instruction{swapCall(97_999_999, ata(owner))}},
		"two calls":             {floorText(), []signingtest.Instruction{good, good}},
		"data that ends before": {floorText("least = 1,", "least = 2,"), []signingtest.Instruction{good}},
		"to the wallet":         {floorText(), []signingtest.Instruction{swapCall(99_000_000, owner)}},
	} {
		m := newMarket(t, 2, test.text)
		got := m.judged(m.swap(test.all...))
		assert.Nil(t, got.Trade, name)
		assert.Equal(t, plain, kinds(got), name)
	}
	m := newMarket(t, 2, floorText())
	m.refused("trader", m.swap(swapCall(99_000_000, ata(payee))), "guard."+string(signing.RuleBlind))
}

func TestFloorsOfAPolicy(t *testing.T) {
	good := "floor = {least = 1, to = 1}"
	p, err := signer.ParsePolicy([]byte(floorText()))
	require.NoError(t, err)
	assert.Contains(t, strings.Join(p.Words(), "\n"), "to whose account 1 at least the amount at byte 1 comes")
	for text, want := range map[string]string{
		"floor = {least = 0, to = 1}":    "the floor at byte 0 is within instruction",
		"floor = {least = -1, to = 1}":   "the floor at byte -1 is within instruction",
		"floor = {least = 4096, to = 1}": "or beyond its data",
		"floor = {least = 1, to = 2}":    "account 2 of its floor is not in must_be_ours",
	} {
		_, err := signer.ParsePolicy([]byte(floorText(good, text)))
		assert.ErrorContains(t, err, want, text)
	}
	_, err = signer.ParsePolicy([]byte(floorText(`instructions = ["01"]`, "")))
	assert.ErrorContains(t, err, "has a floor, and not the instructions that have it")
}
