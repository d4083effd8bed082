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

var (
	mint    = signingtest.Key("mint").PublicKey()
	bob     = signingtest.Key("bob")
	bobs    = bob.PublicKey()
	extra   = signingtest.Key("extra").PublicKey() // an account of the owner's that the policy lists
	bobsOwn = signingtest.Key("bob's").PublicKey() // likewise of bob's
)

// tokens is the state of a token account of a mint.
func tokens(of, mint signing.PublicKey, amount uint64, change ...func([]byte)) signing.AccountState {
	data := make([]byte, 165)
	copy(data, mint[:])
	copy(data[32:], of[:])
	binary.LittleEndian.PutUint64(data[64:], amount)
	data[108] = 1
	for _, f := range change {
		f(data)
	}
	return signing.AccountState{Lamports: 2_039_280, Owner: signing.TokenProgram, Data: data}
}

func delegate(to signing.PublicKey, amount uint64) func([]byte) {
	return func(b []byte) {
		b[72] = 1
		copy(b[76:], to[:])
		binary.LittleEndian.PutUint64(b[121:], amount)
	}
}

func closer(to signing.PublicKey) func([]byte) {
	return func(b []byte) {
		b[109], b[129] = 1, 1
		copy(b[133:], to[:])
	}
}

// twoOwners is a signer of two owners, with ceilings of a token and an account of it each.
func twoOwners(t *testing.T) *rig {
	more := func(account signing.PublicKey) string {
		return fmt.Sprintf(`
[[owner.ceiling]]
mint = %q
transaction = 100
window = [{length = "1h", most = 100}]
[[owner.account]]
address = %q
mint = %q
`, mint, account, mint)
	}
	text := strings.Replace(policyText(), "[[owner.exposure]]", more(extra)+"[[owner.exposure]]", 1)
	text = strings.Replace(text, `owners = ["bot"]`, `owners = ["bot", "bob"]`, 1)
	text += fmt.Sprintf("[[owner]]\nname = \"bob\"\nkey = %q\n", bobs) + more(bobsOwn)
	policy, err := signer.ParsePolicy([]byte(text))
	require.NoError(t, err)
	return newRig(t, 2, func(cfg *signer.Config) {
		cfg.Policy, cfg.Keys = policy, []signing.Signer{ownerKey, bob}
	})
}

func u64(tag byte, n uint64) []byte { return binary.LittleEndian.AppendUint64([]byte{tag}, n) }

// tokenTransfer is a TransferChecked of the owner's authority.
func tokenTransfer(from, to signing.PublicKey, amount uint64) signingtest.Instruction {
	return signingtest.Instruction{
		Program: signing.TokenProgram, Data: append(u64(12, amount), 6), Accounts: []signingtest.Account{
			{Key: from, Writable: true}, {Key: mint}, {Key: to, Writable: true}, {Key: owner, Signer: true},
		},
	}
}

// does is a request of the owner's with some instructions, which spends a token.
func (r *rig) does(all ...signingtest.Instruction) signing.SetRequest {
	q := r.pay(payee, 1)
	q.Unsigned.Intent.Spend = []walletfi.Asset{
		{Mint: mint.String(), Amount: 100}, {Mint: walletfi.NativeMint, Amount: 1000},
	}
	tx := signingtest.Transaction{FeePayer: owner, Blockhash: r.blockhash(), Instructions: all}
	q.Unsigned.Transactions[0] = tx.Unsigned(r.t)
	return q
}

// TestStrangers: what an account of ours takes in is refused while a stranger may take it, and
// no owner takes from another one's account by an approval from before.
func TestStrangers(t *testing.T) {
	r := twoOwners(t)
	home := signing.AssociatedTokenAddress(owner, mint, signing.TokenProgram)
	wrapped := signing.AssociatedTokenAddress(owner, signing.NativeMint, signing.TokenProgram)
	shop := signing.AssociatedTokenAddress(payee, mint, signing.TokenProgram)
	bobsHome := signing.AssociatedTokenAddress(bobs, mint, signing.TokenProgram)
	r.accounts[mint] = signing.AccountState{Lamports: 1, Owner: signing.TokenProgram, Data: make([]byte, 82)}
	r.accounts[shop] = tokens(payee, mint, 0, delegate(thief, 10))
	wrap := []signingtest.Instruction{
		signingtest.Transfer(owner, wrapped, 900),
		{Program: signing.TokenProgram, Data: []byte{17}, Accounts: []signingtest.Account{{Key: wrapped, Writable: true}}},
	}
	set := func(home1, extra1, wrapped1, bobs1 signing.AccountState) {
		r.chain.mu.Lock()
		defer r.chain.mu.Unlock()
		r.accounts[home], r.accounts[extra], r.accounts[wrapped], r.accounts[bobsOwn] = home1, extra1, wrapped1, bobs1
		r.accounts[bobsHome] = tokens(bobs, mint, 0)
	}
	clean := tokens(owner, mint, 500)
	sols, his := tokens(owner, signing.NativeMint, 0, closer(signing.PublicKey{})), tokens(bobs, mint, 300)
	sols.Data[129] = 0

	set(clean, clean, sols, his)
	assert.Len(t, r.judged(r.does(tokenTransfer(home, extra, 400))).Debits, 1, "it stays, but for the fee")
	r.judged(r.does(tokenTransfer(home, shop, 90)))
	r.judged(r.does(wrap...))

	set(clean, tokens(owner, mint, 0, delegate(thief, 5)), sols, his)
	refusal := r.refused("trader", r.does(tokenTransfer(home, extra, 400)), signer.CodeStranger)
	assert.Contains(t, refusal.Text, thief.String())
	r.judged(r.does(tokenTransfer(extra, shop, 90))) // which empties it
	r.judged(r.does(signingtest.Instruction{
		Program: signing.TokenProgram, Data: []byte{5}, // Revoke
		Accounts: []signingtest.Account{{Key: extra, Writable: true}, {Key: owner, Signer: true}},
	}))
	set(clean, tokens(owner, mint, 0, delegate(thief, 0)), sols, his)
	r.judged(r.does(tokenTransfer(home, extra, 400)))
	set(clean, tokens(owner, mint, 0, delegate(bobs, 5)), sols, his)
	r.judged(r.does(tokenTransfer(home, extra, 400))) // bob's ceilings hold too

	set(clean, clean, tokens(owner, signing.NativeMint, 0, closer(thief)), his)
	r.refused("trader", r.does(wrap...), signer.CodeStranger)
	set(clean, clean, tokens(owner, signing.NativeMint, 0, closer(bobs)), his)
	r.judged(r.does(wrap...))

	set(clean, clean, sols, tokens(bobs, mint, 300, delegate(owner, 200)))
	refusal = r.refused("trader", r.does(tokenTransfer(bobsOwn, shop, 90)), signer.CodeStranger)
	assert.Contains(t, refusal.Text, `owner "bob"`)
}

// TestAPinMayWriteWhatIsReceived: the account of a mint with a ceiling that the intent receives has
// the role that a pin calls "received", and one of another mint has not.
func TestAPinMayWriteWhatIsReceived(t *testing.T) {
	policy := strings.Replace(policyText(), `may_write = ["owner"]`, `may_write = ["owner", "received"]`, 1)
	with := strings.Replace(policy, "[[owner.exposure]]", `
[[owner.ceiling]]
mint = "`+mint.String()+`"
transaction = 100
window = [{length = "1h", most = 100}]
[[owner.exposure]]
mint = "`+mint.String()+`"
most = 1000
[[owner.exposure]]`, 1)
	for text, passes := range map[string]bool{policy: false, with: true} {
		read, err := signer.ParsePolicy([]byte(text))
		require.NoError(t, err)
		r := newRig(t, 2, func(cfg *signer.Config) { cfg.Policy = read })
		home := signing.AssociatedTokenAddress(owner, mint, signing.TokenProgram)
		r.accounts[home] = tokens(owner, mint, 500)
		r.takes(3*sol, 0)
		q := r.call(1, owner)
		q.Unsigned.Intent.Receive = []walletfi.Asset{{Mint: mint.String(), Amount: 5}}
		tx := signingtest.Transaction{FeePayer: owner, Blockhash: r.blockhash(), Instructions: []signingtest.Instruction{{
			Program: program, Data: []byte{1}, Accounts: []signingtest.Account{
				{Key: owner, Signer: true, Writable: true}, {Key: home, Writable: true},
			},
		}}}
		q.Unsigned.Transactions[0] = tx.Unsigned(t)
		_, err = r.Judge(t.Context(), "trader", q)
		if passes {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, string(signing.RulePinnedCall))
	}
}
