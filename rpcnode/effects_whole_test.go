package rpcnode_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/rpcnode/solanago"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
)

// told has a node answer one getTransaction with a result. It must be asked as this
// package reads the answer.
func told(t *testing.T, signature, result string) (*walletfi.Effects, error) {
	t.Helper()
	calls := 0
	node := onFake(t, func(w http.ResponseWriter, method string, params []json.RawMessage) {
		calls++
		if method != "getTransaction" || len(params) != 2 {
			t.Errorf("%s %s", method, params)
			return
		}
		require.JSONEq(t, fmt.Sprintf("%q", signature), string(params[0]))
		require.JSONEq(t, `{"encoding":"base64","commitment":"confirmed","maxSupportedTransactionVersion":1}`, string(params[1]))
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"result":%s}`, result)
	})
	effects, err := node.Effects(t.Context(), signature)
	require.Equal(t, 1, calls)
	return effects, err
}

// metaOf are the metadata of three accounts, of which the first pays.
func metaOf(failure, fee, pre, post, tokens string) string {
	return fmt.Sprintf(`{"err":%s,"fee":%s,"preBalances":[%s],"postBalances":[%s],"preTokenBalances":[],"postTokenBalances":%s}`, failure, fee, pre, post, tokens)
}

// refuses requires that an answer is an error, and none at all but an error.
func refuses(t *testing.T, effects *walletfi.Effects, err error, problem, what string) {
	t.Helper()
	require.ErrorIs(t, err, walletfi.ErrDecode, what)
	require.ErrorContains(t, err, problem, what)
	require.Nil(t, effects, what)
}

// TestEffectsOfAnotherAnswer: an answer without the whole transaction is none,
// whatever it says of the balances.
func TestEffectsOfAnotherAnswer(t *testing.T) {
	tx := signedOffline(t)
	text, meta := string(tx.Transaction), metaOf("null", "5000", "15000,0,1", "7000,3000,1", "[]")
	_, err := told(t, tx.Signature, fmt.Sprintf(`{"slot":9,"transaction":[%q,"base64"],"meta":%s}`, text, meta))
	require.NoError(t, err)
	junk := base64.StdEncoding.EncodeToString([]byte("junk"))
	const lacks, another = "lacks the transaction or its slot", "not the transaction that was asked for"
	for _, c := range []struct{ head, problem string }{
		{fmt.Sprintf(`"transaction":[%q,"base64"]`, text), lacks},
		{fmt.Sprintf(`"slot":null,"transaction":[%q,"base64"]`, text), lacks},
		{`"slot":9`, lacks},
		{`"slot":9,"transaction":null`, lacks},
		{`"slot":9,"transaction":[]`, lacks},
		{`"slot":9,"transaction":["base64"]`, lacks},
		{fmt.Sprintf(`"slot":9,"transaction":[%q]`, text), lacks},
		{fmt.Sprintf(`"slot":9,"transaction":[%q,"base58"]`, text), lacks},
		{fmt.Sprintf(`"slot":9,"transaction":[%q,""]`, text), lacks},
		{fmt.Sprintf(`"slot":9,"transaction":[%q,"base64","base64"]`, text), lacks},
		{fmt.Sprintf(`"slot":9,"transaction":[%q,"base64"]`, text+"!"), "is not base64"},
		{`"slot":9,"transaction":["","base64"]`, another},
		{fmt.Sprintf(`"slot":9,"transaction":[%q,"base64"]`, junk), another},
		{fmt.Sprintf(`"slot":9,"transaction":[%q,"base64"]`, signedOffline(t).Transaction), another},
	} {
		effects, err := told(t, tx.Signature, "{"+c.head+`,"meta":`+meta+"}")
		refuses(t, effects, err, c.problem, c.head)
	}
}

// TestEffectsFilledWithZeros: what a node or a proxy that knows nothing puts in the
// place of numbers is not the truth. An account without a lamport pays for nothing.
func TestEffectsFilledWithZeros(t *testing.T) {
	tx := signedOffline(t)
	for meta, problem := range map[string]string{
		metaOf("null", "0", "0,0,0", "0,0,0", "[]"):                               "could not pay",
		metaOf(`"AccountInUse"`, "0", "0,0,0", "0,0,0", "[]"):                     "could not pay",
		metaOf("null", "0", "0,15000,1", "3000,12000,1", "[]"):                    "could not pay",
		metaOf("null", "5000", "4999,15000,1", "3000,11999,1", "[]"):              "could not pay",
		metaOf("null", "0", "18446744073709551615,15001,0", "15000,0,0", "[]"):    "more lamports than there are",
		metaOf("null", "5000", "15000,0,0", "18446744073709551615,10001,0", "[]"): "more lamports than there are",
	} {
		effects, err := answering(t, tx, meta)
		refuses(t, effects, err, problem, meta)
	}
	for _, meta := range []string{
		metaOf("null", "5000", "5000,0,1", "0,0,1", "[]"), // all that it has
		metaOf("null", "0", "1,0,0", "1,0,0", "[]"),       // of a cluster without fees
	} {
		_, err := answering(t, tx, meta)
		require.NoError(t, err, meta)
	}
}

// TestEffectsOfAFailure: a transaction that failed has cost its fee, and nothing else
// has changed; an answer that says otherwise contradicts itself.
func TestEffectsOfAFailure(t *testing.T) {
	tx := signedOffline(t)
	failure := `{"InstructionError":[0,"Custom"]}`
	tokens := lines("1 " + solana.PublicKey{9}.String() + " " + solana.PublicKey{1}.String() + " 5 6")
	_, err := answering(t, tx, metaOf(failure, "5000", "15000,0,1", "10000,0,1", "[]"))
	require.NoError(t, err)
	for what, meta := range map[string]string{
		"a token moved":               metaOf(failure, "5000", "15000,0,1", "10000,0,1", tokens),
		"lamports moved":              metaOf(failure, "5000", "15000,0,1", "10000,1,0", "[]"),
		"lamports moved, of no fee":   metaOf(failure, "0", "15000,0,1", "15000,1,0", "[]"),
		"another account paid":        metaOf(failure, "5000", "15000,5000,1", "15000,0,1", "[]"),
		"the payer paid more":         metaOf(failure, "5000", "15000,0,1", "9000,1000,1", "[]"),
		"both moved":                  metaOf(failure, "5000", "15000,0,1", "9000,1000,1", tokens),
		"the payer's and one other's": metaOf(failure, "0", "15000,0,1", "14000,1000,1", "[]"),
	} {
		effects, err := answering(t, tx, meta)
		refuses(t, effects, err, "changed more than the fee", what)
	}
}

// TestEffectsWithoutTheLoadedAddresses: a node that does not tell what was loaded from
// lookup tables, or tells of more, is not believed, though its balances agree with it.
func TestEffectsWithoutTheLoadedAddresses(t *testing.T) {
	payer, err := signing.NewLocalKeyFromSeed(make([]byte, 32))
	require.NoError(t, err)
	me, table, program := solana.PublicKey(payer.PublicKey()), solana.PublicKey{20}, solana.PublicKey{21}
	written, read, more := solana.PublicKey{30}, solana.PublicKey{31}, solana.PublicKey{32}
	loading := func(metas ...*solana.AccountMeta) walletfi.Signed {
		built, err := solana.NewTransaction(
			[]solana.Instruction{solana.NewInstruction(program, append(solana.AccountMetaSlice{solana.Meta(me).SIGNER()}, metas...), []byte{1})},
			solana.Hash{1}, solana.TransactionPayer(me), solana.TransactionAddressTables(map[solana.PublicKey]solana.PublicKeySlice{table: {read, written}}))
		require.NoError(t, err)
		tx, err := solanago.FromSolana(built)
		require.NoError(t, err)
		require.Len(t, tx.Lookups(), 1)
		require.NoError(t, signing.SignUnchecked(t.Context(), tx, payer))
		return tx.Signed()
	}
	tell := func(tx walletfi.Signed, accounts int, loaded string) (*walletfi.Effects, error) {
		rest := strings.Repeat(",1", accounts-1)
		return answering(t, tx, fmt.Sprintf(`{"err":null,"fee":5000,"preBalances":[15000%s],"postBalances":[10000%s],"preTokenBalances":[],"postTokenBalances":[]%s}`, rest, rest, loaded))
	}
	both := loading(solana.Meta(written).WRITE(), solana.Meta(read))
	_, err = tell(both, 4, fmt.Sprintf(`,"loadedAddresses":{"writable":[%q],"readonly":[%q]}`, written, read))
	require.NoError(t, err)
	for _, c := range []struct {
		tx       walletfi.Signed
		accounts int
		loaded   string
		problem  string
	}{
		{both, 2, "", "are missing"},
		{both, 2, `,"loadedAddresses":null`, "are missing"},
		{loading(solana.Meta(written).WRITE()), 2, "", "are missing"},
		{loading(solana.Meta(read)), 2, "", "are missing"},
		{both, 2, `,"loadedAddresses":{}`, "not as many"},
		{both, 3, fmt.Sprintf(`,"loadedAddresses":{"writable":[%q]}`, written), "not as many"},
		{both, 3, fmt.Sprintf(`,"loadedAddresses":{"readonly":[%q]}`, read), "not as many"},
		{both, 5, fmt.Sprintf(`,"loadedAddresses":{"writable":[%q,%q],"readonly":[%q]}`, written, more, read), "not as many"},
		{both, 5, fmt.Sprintf(`,"loadedAddresses":{"writable":[%q],"readonly":[%q,%q]}`, written, read, more), "not as many"},
		{both, 4, fmt.Sprintf(`,"loadedAddresses":{"writable":[%q,%q],"readonly":[]}`, written, read), "not as many"},
	} {
		effects, err := tell(c.tx, c.accounts, c.loaded)
		refuses(t, effects, err, c.problem, fmt.Sprint(c.accounts, c.loaded))
	}
}

// TestPoolEffects: a pool tells what a healthy node tells, and its error.
func TestPoolEffects(t *testing.T) {
	onPool(t, []sandbox.Node{{Silent: true}, {}}, func(t *testing.T, s *sandbox.Sandbox, p *rpcnode.Pool) {
		key, err := signing.NewLocalKey(s.Wallet())
		require.NoError(t, err)
		b := &bench{Client: p.Nodes()[1].(*rpcnode.Client), s: s, key: key, me: solana.PublicKey(key.PublicKey())}
		paid := b.payment(t, 2_000_000)
		_, err = p.Submit(t.Context(), paid)
		require.NoError(t, err)
		s.Advance(4 * time.Second)
		effects, err := p.Effects(t.Context(), paid.Signature)
		require.NoError(t, err)
		require.Equal(t, paid.Signature, effects.Signature)
		require.Equal(t, walletfi.Amount(2_005_000), effects.Lamport(b.me.String()).Lost())
		_, err = p.Effects(t.Context(), solana.Signature{7}.String())
		require.ErrorIs(t, err, walletfi.ErrNotFound)
	})
}

// TestUnitsOfAnAnswer: no answer is refused for the compute units that it tells.
func TestUnitsOfAnAnswer(t *testing.T) {
	tx := signedOffline(t)
	meta := metaOf("null", "5000", "15000,0,1", "7000,3000,1", "[]")
	for said, want := range map[string]uint64{
		`"computeUnitsConsumed":4321,`: 4321, "": 0, `"computeUnitsConsumed":null,`: 0, `"computeUnitsConsumed":"7",`: 0,
		`"computeUnitsConsumed":-1,`: 0, `"computeUnitsConsumed":{},`: 0,
	} {
		effects, err := told(t, tx.Signature, fmt.Sprintf(
			`{"slot":9,"transaction":[%q,"base64"],"meta":{%s%s}`, tx.Transaction, said, meta[1:]))
		require.NoError(t, err, said)
		require.Equal(t, want, effects.Units, said)
	}
}
