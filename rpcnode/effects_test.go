package rpcnode_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode/solanago"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
)

// TestEffects: a payment's effects are the ledger's, to the lamport.
func TestEffects(t *testing.T) {
	b := onSandbox(t, sandbox.Config{InstantConfirmation: true})
	before := b.s.Ledger().Balance(b.me.String())
	signed := b.sign(t, b.build(t, b.pay(2_000_000)))
	_, err := b.Submit(t.Context(), signed)
	require.NoError(t, err)
	effects, err := b.Effects(t.Context(), signed.Signature)
	require.NoError(t, err)
	require.Equal(t, walletfi.Change{Before: walletfi.Amount(before), After: walletfi.Amount(before - 2_005_000)}, effects.Lamport(b.me.String()))
	require.Equal(t, walletfi.Change{After: 2_000_000}, effects.Lamport(shop.String()))
	require.Equal(t, walletfi.Amount(5000), effects.Fee)
	require.Equal(t, b.me.String(), effects.FeePayer)
	require.Empty(t, effects.Err)
	require.Empty(t, effects.Tokens)
	require.NotZero(t, effects.Slot)
	require.Len(t, effects.Of(b.me.String()).Lamports, 1)

	_, err = b.Effects(t.Context(), solana.Signature{7}.String())
	require.ErrorIs(t, err, walletfi.ErrNotFound)
	_, err = b.Effects(t.Context(), "7")
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
}

// answering is a node that tells one getTransaction.
func answering(t *testing.T, tx walletfi.Signed, meta string) (*walletfi.Effects, error) {
	t.Helper()
	node := onFake(t, func(w http.ResponseWriter, method string, _ []json.RawMessage) {
		if method != "getTransaction" {
			t.Errorf("%s", method)
		}
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"result":{"slot":9,"transaction":[%q,"base64"],"meta":%s}}`, tx.Transaction, meta)
	})
	return node.Effects(t.Context(), tx.Signature)
}

// lines are token balances: index, mint, owner, amount, decimals.
func lines(of ...string) string {
	out := []string{}
	for _, l := range of {
		f := strings.Fields(l)
		out = append(out, fmt.Sprintf(`{"accountIndex":%s,"mint":%q,"owner":%q,"uiTokenAmount":{"amount":%q,"decimals":%s,"uiAmount":null}}`, f[0], f[1], f[2], f[3], f[4]))
	}
	return "[" + strings.Join(out, ",") + "]"
}

// TestEffectsOfTokens: accounts that a transaction opens, closes or hands over, and
// the largest amounts.
func TestEffectsOfTokens(t *testing.T) {
	tx := signedOffline(t) // from, to, program
	keys := accounts(t, tx)
	require.Len(t, keys, 3)
	mint, other := solana.PublicKey{9}.String(), solana.PublicKey{8}.String()
	ann, ben := solana.PublicKey{1}.String(), solana.PublicKey{2}.String()
	meta := func(pre, post string) string {
		return fmt.Sprintf(`{"err":null,"fee":5000,"preBalances":[15000,0,1],"postBalances":[7000,3000,1],"preTokenBalances":%s,"postTokenBalances":%s}`, pre, post)
	}
	change := func(i int, owner, mint string, decimals int, was, is walletfi.Amount) walletfi.TokenChange {
		return walletfi.TokenChange{Account: keys[i], Owner: owner, Mint: mint, Decimals: decimals, Change: walletfi.Change{Before: was, After: is}}
	}
	for name, c := range map[string]struct {
		pre, post string
		want      []walletfi.TokenChange
	}{
		"nothing":      {"[]", "[]", nil},
		"more rent":    {lines("1 " + mint + " " + ann + " 5 6"), lines("1 " + mint + " " + ann + " 5 6"), []walletfi.TokenChange{change(1, ann, mint, 6, 5, 5)}},
		"opened":       {"[]", lines("1 " + mint + " " + ann + " 18446744073709551615 0"), []walletfi.TokenChange{change(1, ann, mint, 0, 0, 1<<64-1)}},
		"closed":       {lines("1 " + mint + " " + ann + " 5 6"), "[]", []walletfi.TokenChange{change(1, ann, mint, 6, 5, 0)}},
		"opened empty": {"[]", lines("1 " + mint + " " + ann + " 0 6"), []walletfi.TokenChange{change(1, ann, mint, 6, 0, 0)}},
		"closed empty": {lines("0 " + mint + " " + ann + " 0 6"), "[]", []walletfi.TokenChange{change(0, ann, mint, 6, 0, 0)}},
		"unchanged":    {lines("2 " + mint + " " + ann + " 5 6"), lines("2 " + mint + " " + ann + " 5 6"), nil},
		"another own":  {lines("1 " + mint + " " + ann + " 5 6"), lines("1 " + mint + " " + ben + " 7 6"), []walletfi.TokenChange{change(1, ann, mint, 6, 5, 0), change(1, ben, mint, 6, 0, 7)}},
		"another mint": {lines("1 " + mint + " " + ann + " 5 6"), lines("1 " + other + " " + ann + " 5 9"),
			[]walletfi.TokenChange{change(1, ann, mint, 6, 5, 0), change(1, ann, other, 9, 0, 5)}},
		"moved with a fee withheld": {lines("0 "+mint+" "+ann+" 100 2", "1 "+mint+" "+ben+" 0 2"), lines("1 "+mint+" "+ben+" 99 2", "0 "+mint+" "+ann+" 0 2"),
			[]walletfi.TokenChange{change(0, ann, mint, 2, 100, 0), change(1, ben, mint, 2, 0, 99)}},
	} {
		t.Run(name, func(t *testing.T) {
			effects, err := answering(t, tx, meta(c.pre, c.post))
			require.NoError(t, err)
			require.ElementsMatch(t, c.want, effects.Tokens)
			require.Equal(t, walletfi.Amount(8000), effects.Lamport(keys[0]).Lost())
			require.Equal(t, walletfi.Amount(3000), effects.Lamport(keys[1]).Gained())
			text, err := json.Marshal(effects)
			require.NoError(t, err)
			var read walletfi.Effects
			require.NoError(t, json.Unmarshal(text, &read))
			require.Equal(t, *effects, read)
		})
	}
	effects, err := answering(t, tx, meta(lines("0 "+mint+" "+ann+" 100 2", "1 "+mint+" "+ann+" 4 2"), lines("1 "+mint+" "+ann+" 99 2")))
	require.NoError(t, err)
	require.Equal(t, walletfi.Change{Before: 104, After: 99}, effects.Token(ann, mint))
	require.Zero(t, effects.Token(ben, mint))
	require.Len(t, effects.Of(ann).Tokens, 2)
	require.Len(t, effects.Of(ann).Lamports, 2, "those of its token accounts")
	require.Empty(t, effects.Of(ben).Tokens)

	failed, err := answering(t, tx, `{"err":{"InstructionError":[0,"Custom"]},"fee":5000,"preBalances":[15000,0,1],"postBalances":[10000,0,1],"preTokenBalances":[],"postTokenBalances":[]}`)
	require.NoError(t, err)
	require.Contains(t, failed.Err, "InstructionError")
	require.Equal(t, failed.Fee, failed.Lamport(keys[0]).Lost())
}

// TestEffectsAreNeverGuessed: an answer that is silent, or contradicts itself, is
// none.
func TestEffectsAreNeverGuessed(t *testing.T) {
	tx, mint, ann := signedOffline(t), solana.PublicKey{9}.String(), solana.PublicKey{1}.String()
	line := lines("1 " + mint + " " + ann + " 5 6")
	good := map[string]string{
		"err": "null", "fee": "5000", "preBalances": "[15000,0,1]", "postBalances": "[7000,3000,1]",
		"preTokenBalances": "[]", "postTokenBalances": line, "loadedAddresses": `{"writable":[],"readonly":[]}`,
	}
	meta := func(member, value string) string {
		parts := []string{}
		for name, text := range good {
			if name == member {
				text = value
			}
			if text != "" {
				parts = append(parts, fmt.Sprintf("%q:%s", name, text))
			}
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	_, err := answering(t, tx, meta("", ""))
	require.NoError(t, err)
	count := 0
	for member, values := range map[string][]string{
		"err":          {"", `"AccountInUse"`}, // a failure that moved tokens
		"fee":          {"", "null", "-5000", "5000.5", "4999", `"5000"`},
		"preBalances":  {"", "null", "[]", "[15000,0]", "[15000,null,1]", "[15000,-1,1]", "[15000,0,1,0]", "[15001,0,1]", "[18446744073709551615,18446744073709551615,1]", "[1e4,0,1]"},
		"postBalances": {"", "null", "[]", "[7000,null,1]", "[7000,3000,1,4]", "[7001,3000,1]"},
		"preTokenBalances": {
			"", "null", "[null]", "[{}]", lines("3 " + mint + " " + ann + " 5 6"), lines("-1 " + mint + " " + ann + " 5 6"),
			lines("1 "+mint+" "+ann+" 5 6", "1 "+mint+" "+ann+" 5 6"), lines("1 " + mint + " " + ann + " 5 7"),
			lines("1 " + mint + " " + ann + " -5 6"), lines("1 " + mint + " " + ann + " 5.0 6"), lines("1 " + mint + " " + ann + " 18446744073709551616 6"),
			lines("1 " + mint + " x 5 6"), lines("1 x " + ann + " 5 6"), strings.Replace(line, `"decimals":6,`, "", 1), strings.Replace(line, `"owner"`, `"was"`, 1),
			strings.Replace(line, `"amount":"5",`, "", 1), strings.Replace(line, `"amount":"5"`, `"amount":null`, 1), strings.Replace(line, `"amount":"5"`, `"amount":5`, 1),
			strings.Replace(line, `"accountIndex":1,`, "", 1), strings.Replace(line, `"uiTokenAmount"`, `"tokenAmount"`, 1),
			lines("0 "+mint+" "+ann+" 18446744073709551615 6", "1 "+mint+" "+ann+" 1 6"),
		},
		"postTokenBalances": {"", "null"},
		"loadedAddresses":   {fmt.Sprintf(`{"writable":[%q],"readonly":[]}`, mint), `{"writable":[],"readonly":[""]}`},
	} {
		for _, value := range values {
			count++
			effects, err := answering(t, tx, meta(member, value))
			require.ErrorIs(t, err, walletfi.ErrDecode, "%s %s", member, value)
			require.Nil(t, effects)
		}
	}
	require.Equal(t, 49, count)
	_, err = answering(t, tx, "null")
	require.ErrorIs(t, err, walletfi.ErrDecode, "no metadata is no statement")
	other := tx
	other.Signature = solana.Signature{7}.String()
	_, err = answering(t, other, meta("", ""))
	require.ErrorIs(t, err, walletfi.ErrDecode, "another transaction")
}

// accounts lists the accounts of a transaction.
func accounts(t *testing.T, signed walletfi.Signed) (all []string) {
	raw, err := base64.StdEncoding.DecodeString(string(signed.Transaction))
	require.NoError(t, err)
	tx, err := signing.DecodeBytes(raw)
	require.NoError(t, err)
	for _, k := range tx.AccountKeys() {
		all = append(all, k.String())
	}
	return all
}

// TestEffectsOfLoadedAddresses: balances are numbered with the addresses from lookup
// tables last, those that are written first.
func TestEffectsOfLoadedAddresses(t *testing.T) {
	payer, err := signing.NewLocalKeyFromSeed(make([]byte, 32))
	require.NoError(t, err)
	me, table, program := solana.PublicKey(payer.PublicKey()), solana.PublicKey{20}, solana.PublicKey{21}
	written, read := solana.PublicKey{30}, solana.PublicKey{31}
	built, err := solana.NewTransaction(
		[]solana.Instruction{solana.NewInstruction(program, solana.AccountMetaSlice{solana.Meta(me).SIGNER(), solana.Meta(read), solana.Meta(written).WRITE()}, []byte{1})},
		solana.Hash{1}, solana.TransactionPayer(me), solana.TransactionAddressTables(map[solana.PublicKey]solana.PublicKeySlice{table: {read, written}}))
	require.NoError(t, err)
	tx, err := solanago.FromSolana(built)
	require.NoError(t, err)
	require.Len(t, tx.Lookups(), 1)
	require.NoError(t, signing.SignUnchecked(t.Context(), tx, payer))
	mint := solana.PublicKey{9}.String()
	tell := func(loaded string) (*walletfi.Effects, error) {
		return answering(t, tx.Signed(), fmt.Sprintf(`{"err":null,"fee":5000,"preBalances":[15000,1,0,7],"postBalances":[7000,1,3000,7],"preTokenBalances":[],"postTokenBalances":%s%s}`,
			lines("2 "+mint+" "+me.String()+" 18446744073709551615 0"), loaded))
	}
	good := fmt.Sprintf(`,"loadedAddresses":{"writable":[%q],"readonly":[%q]}`, written, read)
	effects, err := tell(good)
	require.NoError(t, err)
	require.Equal(t, walletfi.Amount(3000), effects.Lamport(written.String()).Gained())
	require.Equal(t, []walletfi.TokenChange{{Account: written.String(), Owner: me.String(), Mint: mint, Change: walletfi.Change{After: 1<<64 - 1}}}, effects.Tokens)
	require.Len(t, effects.Of(me.String()).Lamports, 2, "with the rent of its token account")
	for _, bad := range []string{
		"", `,"loadedAddresses":null`, `,"loadedAddresses":{"writable":[],"readonly":[]}`,
		fmt.Sprintf(`,"loadedAddresses":{"writable":[%q,%q],"readonly":[]}`, written, read),
		fmt.Sprintf(`,"loadedAddresses":{"writable":[%q],"readonly":[%q]}`, written, written),
		fmt.Sprintf(`,"loadedAddresses":{"writable":[%q],"readonly":[%q]}`, me, read),
		fmt.Sprintf(`,"loadedAddresses":{"writable":[%q],"readonly":["x"]}`, written),
	} {
		_, err := tell(bad)
		require.ErrorIs(t, err, walletfi.ErrDecode, bad)
	}
}
