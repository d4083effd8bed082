package signer_test

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

// under has a rig's policy read from a changed text.
func under(t *testing.T, text string) func(*signer.Config) {
	policy, err := signer.ParsePolicy([]byte(text))
	require.NoError(t, err)
	return func(cfg *signer.Config) { cfg.Policy = policy }
}

// TestHeartbeat: without an admin for the time of the heartbeat the signer freezes.
func TestHeartbeat(t *testing.T) {
	r := newRig(t, 2, under(t, "heartbeat = \"1h\"\n"+policyText()))
	assert.Contains(t, r.cfg.Policy.Words(), "It freezes if no admin says for 1h that he is there.")
	_, err := signer.ParsePolicy([]byte("heartbeat = \"1h\"\n" + strings.Replace(policyText(), "admins = [0]", "", 1)))
	require.ErrorContains(t, err, "heartbeat 1h has no admin")
	tick := func(d time.Duration) {
		r.pass(d)
		require.NoError(t, r.Settle(t.Context()))
	}
	tick(40 * time.Minute)
	r.signed(r.pay(payee, 1))
	require.NoError(t, r.Beat(t.Context(), "uid 0"))
	tick(40 * time.Minute)
	r.reopen() // which is no heartbeat
	r.signed(r.pay(payee, 2))
	r.pass(30 * time.Minute)
	require.NoError(t, r.Settle(t.Context()))
	h, err := r.Health(t.Context())
	require.NoError(t, err)
	assert.Equal(t, signer.ModeFrozen, h.Mode)
	assert.True(t, r.refused("trader", r.pay(payee, 4), signer.CodeFrozen).Waits)
	require.NoError(t, r.Beat(t.Context(), "uid 0"))
	r.refused("trader", r.pay(payee, 5), signer.CodeFrozen) // a heartbeat alone thaws nothing
	require.NoError(t, r.Thaw(t.Context(), "uid 0", "here again"))
	r.signed(r.pay(payee, 6))
}

// deployed has the chain show a program that was deployed in a slot.
func (r *rig) deployed(slot uint64) {
	loader := signing.MustPublicKey("BPFLoaderUpgradeab1e11111111111111111111111")
	code := signingtest.Key("code").PublicKey()
	r.chain.mu.Lock()
	defer r.chain.mu.Unlock()
	r.accounts[program] = signing.AccountState{Lamports: 1, Owner: loader, Data: append([]byte{2, 0, 0, 0}, code[:]...)}
	data := binary.LittleEndian.AppendUint64([]byte{3, 0, 0, 0}, slot)
	r.accounts[code] = signing.AccountState{Lamports: 1, Owner: loader, Data: append(data, make([]byte, 33)...)}
}

// TestAnUpgradeSuspendsItsPin: what was read when the pin was written is not what runs.
func TestAnUpgradeSuspendsItsPin(t *testing.T) {
	r := newRig(t, 2, under(t, strings.Replace(policyText(), "must_be_ours = [1]", "must_be_ours = [1]\ndeployed = 77", 1)))
	assert.Contains(t, strings.Join(r.cfg.Policy.Words(), "\n"), "as it was deployed in slot 77")
	r.takes(7*sol, sol/2)
	r.refused("trader", r.call(1, owner), signer.CodeUpgraded)
	r.deployed(78)
	r.refused("trader", r.call(1, owner), signer.CodeUpgraded)
	r.deployed(77)
	r.signed(r.call(1, owner))
}

// TestMultisigs: what leaves by a multisig that the key is a signer of counts as the owner's, and the
// key signs for no other.
func TestMultisigs(t *testing.T) {
	mint, multisig := signingtest.Key("mint").PublicKey(), signingtest.Key("multisig").PublicKey()
	source := signing.AssociatedTokenAddress(multisig, mint, signing.TokenProgram)
	target := signing.AssociatedTokenAddress(payee, mint, signing.TokenProgram)
	ceiling := "[[owner.ceiling]]\nmint = \"" + mint.String() + "\"\ntransaction = 100\nwindow = [{length = \"1h\", most = 150}]\n"
	text := strings.Replace(policyText(), "[[owner.exposure]]", ceiling+"[[owner.exposure]]", 1)
	listed := strings.Replace(text, "[[owner.ceiling]]", "multisigs = [\""+multisig.String()+"\"]\n[[owner.ceiling]]", 1)
	pay := func(r *rig, amount uint64) signing.SetRequest {
		q := r.pay(payee, 1)
		q.Unsigned.Intent.Spend = []walletfi.Asset{{Mint: mint.String(), Amount: walletfi.Amount(amount)}}
		data := append(binary.LittleEndian.AppendUint64([]byte{12}, amount), 6)
		tx := signingtest.Transaction{FeePayer: owner, Blockhash: r.blockhash(), Instructions: []signingtest.Instruction{{
			Program: signing.TokenProgram, Data: data, Accounts: []signingtest.Account{
				{Key: source, Writable: true}, {Key: mint}, {Key: target, Writable: true}, {Key: multisig}, {Key: owner, Signer: true},
			},
		}}}
		q.Unsigned.Transactions = []walletfi.EncodedTransaction{tx.Unsigned(t)}
		return q
	}
	made := make([]byte, 3+11*32)
	copy(made, []byte{1, 2, 1})
	copy(made[3+32:], owner[:])
	rigOf := func(text string) *rig {
		r := newRig(t, 2, under(t, text))
		r.accounts[multisig] = signing.AccountState{Lamports: 1, Owner: signing.TokenProgram, Data: made}
		return r
	}
	r := rigOf(text)
	refusal := r.refused("trader", pay(r, 60), signer.CodeStranger)
	assert.Contains(t, refusal.Text, "for the multisig "+multisig.String())

	r = rigOf(listed)
	assert.Contains(t, r.cfg.Policy.Words(), `Owner "bot" signs for the multisig `+multisig.String()+".")
	d, err := r.SignSet(t.Context(), "trader", pay(r, 60))
	require.NoError(t, err)
	require.Len(t, d.Messages, 1)
	assert.True(t, slices.ContainsFunc(d.Messages[0].Debits, func(x signer.Debit) bool {
		return x.Mint == signer.Mint(mint.String()) && x.Amount == 60
	}))
	r.refused("trader", pay(r, 101), signer.CodeCeiling)
	r.refused("trader", pay(r, 99), signer.CodeWindow)
	q := r.pay(payee, 1)
	q.Unsigned.Intent.Owner = multisig.String() // is no owner to ask for
	r.refused("trader", q, signer.CodeClient)
}
