package rpcnode_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/token"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
)

// inOrder are two transactions of which the second spends what only the first has made
// room for: it pays from the account that the first creates.
func inOrder(t *testing.T, b *bench) (first, second *signing.Transaction) {
	usdc := mint(b, "USDC")
	second = b.build(t, token.NewTransferCheckedInstruction(
		1_500_000, 6, associated(t, b.me, usdc), usdc, associated(t, shop, usdc), b.me, nil).Build())
	return b.build(t, b.send(t, 2_500_000)...), second
}

func TestSimulateAfter(t *testing.T) {
	b := onSandbox(t, sandbox.Config{ManualClock: true})
	usdc := mint(b, "USDC")
	first, second := inOrder(t, b)
	request := simulationRequest(second, b.me, associated(t, b.me, usdc), associated(t, shop, usdc))
	alone, err := b.Simulate(t.Context(), request)
	require.NoError(t, err)
	require.NotEmpty(t, alone.Err, "by itself it has nowhere to pay to")

	s, err := b.SimulateAfter(t.Context(), []*signing.Transaction{first}, request)
	require.NoError(t, err)
	require.Empty(t, s.Err)
	require.True(t, s.StatesOnly)
	require.NotZero(t, s.Slot)
	require.Positive(t, s.Units)
	require.EqualValues(t, 2_500_000, tokenAmount(s.Before[2]), "what the first leaves")
	require.EqualValues(t, 4_000_000, tokenAmount(s.After[2]))
	require.Equal(t, tokenAmount(s.Before[1])-1_500_000, tokenAmount(s.After[1]))
	require.Less(t, s.After[0].Lamports, s.Before[0].Lamports)
	require.Zero(t, b.s.Ledger().TokenBalance(shop.String(), usdc.String()), "nothing landed")

	s, err = b.SimulateAfter(t.Context(), nil, request)
	require.NoError(t, err)
	require.Equal(t, alone, s, "after nothing, by itself")
	require.Equal(t, 1, b.hits("simulateBundle"))
}

func TestSimulateAfterWhatFails(t *testing.T) {
	b := onSandbox(t, sandbox.Config{ManualClock: true})
	poor := b.build(t, b.pay(1_000_000_000_000))
	s, err := b.SimulateAfter(t.Context(), []*signing.Transaction{b.build(t, b.pay(2_000_000))}, simulationRequest(poor, b.me))
	require.NoError(t, err)
	require.Contains(t, s.Err, "InstructionError")
	require.NotContains(t, s.Err, "before it")
	require.Len(t, s.After, 1)

	s, err = b.SimulateAfter(t.Context(), []*signing.Transaction{poor}, simulationRequest(b.build(t, b.pay(2_000_000)), b.me))
	require.NoError(t, err)
	require.Contains(t, s.Err, "transaction 1, before it, would fail: ")
}

// TestSimulateAfterOnANodeThatCannot: the guard learns that it is unknown, and the node
// is not asked again for a while.
func TestSimulateAfterOnANodeThatCannot(t *testing.T) {
	tx, _ := payer(t)
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		node := onFake(t, func(w http.ResponseWriter, _ string, _ []json.RawMessage) {
			asked++
			fmt.Fprint(w, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}`)
		})
		ask := func() {
			_, err := node.SimulateAfter(t.Context(), []*signing.Transaction{tx}, simulationRequest(tx))
			require.ErrorIs(t, err, signing.ErrUnknown)
			require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
		}
		for range 3 {
			ask()
		}
		require.Equal(t, 1, asked)
		time.Sleep(11 * time.Minute)
		ask()
		require.Equal(t, 2, asked)
	})
}

const bundleOK = `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":9},"value":{"summary":%s,"transactionResults":[%s]}}}`

func TestSimulateAfterReadsStrictly(t *testing.T) {
	const first = `{"err":null,"unitsConsumed":3,"preExecutionAccounts":null,"postExecutionAccounts":null}`
	one := accountJSON(5)
	last := func(before, after string) string {
		return first + `,{"err":null,"unitsConsumed":7,"preExecutionAccounts":` + before + `,"postExecutionAccounts":` + after + `}`
	}
	tx, me := payer(t)
	for name, c := range map[string]struct {
		answer string
		want   error
	}{
		"as documented":      {fmt.Sprintf(bundleOK, `"succeeded"`, last("["+one+"]", "["+one+"]")), nil},
		"no summary":         {`{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":9},"value":{"transactionResults":[` + last("["+one+"]", "["+one+"]") + `]}}}`, walletfi.ErrDecode},
		"no value":           {`{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":9},"value":null}}`, walletfi.ErrDecode},
		"a result is absent": {fmt.Sprintf(bundleOK, `"succeeded"`, first), walletfi.ErrDecode},
		"accounts before":    {fmt.Sprintf(bundleOK, `"succeeded"`, last("[]", "["+one+"]")), walletfi.ErrDecode},
		"accounts after":     {fmt.Sprintf(bundleOK, `"succeeded"`, last("["+one+"]", "null")), walletfi.ErrDecode},
		"encoding":           {fmt.Sprintf(bundleOK, `"succeeded"`, last("["+one+"]", `[{"lamports":5,"owner":"11111111111111111111111111111111","data":["1","base58"]}]`)), walletfi.ErrDecode},
		"encoding before":    {fmt.Sprintf(bundleOK, `"succeeded"`, last(`[{"lamports":5,"owner":"11111111111111111111111111111111","data":["1","base58"]}]`, "["+one+"]")), walletfi.ErrDecode},
		"no transaction's":   {fmt.Sprintf(bundleOK, `{"failed":{"error":"BundleExecutionTimeout","tx_signature":null}}`, last("["+one+"]", "["+one+"]")), signing.ErrUnknown},
		"not on this plan":   {`{"jsonrpc":"2.0","id":1,"error":{"code":403,"message":"upgrade"}}`, signing.ErrUnknown},
		"too large":          {`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"bundle size too large"}}`, signing.ErrUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			node := onFake(t, func(w http.ResponseWriter, method string, _ []json.RawMessage) { fmt.Fprint(w, c.answer) })
			s, err := node.SimulateAfter(t.Context(), []*signing.Transaction{tx}, signing.SimulationRequest{Transaction: tx, Accounts: []signing.PublicKey{me}})
			if c.want != nil {
				require.ErrorIs(t, err, c.want)
				return
			}
			require.NoError(t, err)
			require.EqualValues(t, 5, s.After[0].Lamports)
			require.EqualValues(t, 9, s.Slot)
			require.EqualValues(t, 7, s.Units, "of the last")
		})
	}
	var invalid *walletfi.ValidationError
	_, err := onFake(t, says(200, "")).SimulateAfter(t.Context(), []*signing.Transaction{nil}, simulationRequest(tx))
	require.ErrorAs(t, err, &invalid)
}

// TestUnsignedBundlesHaveSignatures: nodes refuse two transactions with the same one.
func TestUnsignedBundlesHaveSignatures(t *testing.T) {
	b := onSandbox(t, sandbox.Config{ManualClock: true})
	var request struct {
		Transactions []string `json:"encodedTransactions"`
	}
	node := onFake(t, func(w http.ResponseWriter, _ string, params []json.RawMessage) {
		json.Unmarshal(params[0], &request)
		fmt.Fprint(w, `{"jsonrpc":"2.0","id":1,"result":null}`)
	})
	set := []*signing.Transaction{b.build(t, b.pay(2_000_000)), v1Payment(t, b, 2), b.build(t, b.pay(3))}
	_, err := node.SimulateAfter(t.Context(), set[:2], simulationRequest(set[2]))
	require.ErrorIs(t, err, walletfi.ErrDecode)
	require.Len(t, request.Transactions, 3)
	seen := map[signing.Signature]bool{}
	for i, text := range request.Transactions {
		raw, err := base64.StdEncoding.DecodeString(text)
		require.NoError(t, err)
		tx, err := signing.DecodeBytes(raw)
		require.NoError(t, err)
		require.Equal(t, set[i].Message(), tx.Message())
		require.False(t, seen[tx.Signature()])
		seen[tx.Signature()] = true
		require.Zero(t, set[i].Signature(), "the caller's own is left alone")
	}
}

// TestPoolFindsANodeWithBundles: the first node has none.
func TestPoolFindsANodeWithBundles(t *testing.T) {
	onPool(t, []sandbox.Node{{BundlesOff: true}, {}}, func(t *testing.T, s *sandbox.Sandbox, p *rpcnode.Pool) {
		key, err := signing.NewLocalKey(s.Wallet())
		require.NoError(t, err)
		with := p.Nodes()[1].(*rpcnode.Client)
		b := &bench{with, s, key, solana.PublicKey(key.PublicKey())}
		first, second := inOrder(t, b)
		got, err := p.SimulateAfter(t.Context(), []*signing.Transaction{first}, simulationRequest(second, b.me))
		require.NoError(t, err)
		require.Empty(t, got.Err)
		_, err = p.Nodes()[0].(*rpcnode.Client).SimulateAfter(t.Context(), []*signing.Transaction{first}, simulationRequest(second, b.me))
		require.ErrorIs(t, err, signing.ErrUnknown)
	})
}
