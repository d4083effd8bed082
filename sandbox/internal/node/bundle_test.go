package node_test

import (
	"encoding/base64"
	"encoding/json"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// chained are two unsigned payments: the wallet's to bob, and bob's of what he has only
// then to alice. A signature tells them apart.
func (s *started) chained(t *testing.T, bob, alice solana.PublicKey, lamports uint64) (encoded []string) {
	latest, err := s.node(t).GetLatestBlockhash(t.Context(), rpc.CommitmentProcessed)
	require.NoError(t, err)
	me := build.PublicKey(s.Wallet())
	for i, in := range []*system.Transfer{
		system.NewTransferInstruction(5_000_000, me, bob), system.NewTransferInstruction(lamports, bob, alice),
	} {
		from := []solana.PublicKey{me, bob}[i]
		tx, err := solana.NewTransaction([]solana.Instruction{in.Build()}, latest.Value.Blockhash, solana.TransactionPayer(from))
		require.NoError(t, err)
		tx.Signatures = []solana.Signature{{byte(i + 1)}}
		raw, err := tx.MarshalBinary()
		require.NoError(t, err)
		encoded = append(encoded, base64.StdEncoding.EncodeToString(raw))
	}
	return encoded
}

// bundleOf are the parameters that show the same accounts around each transaction.
func bundleOf(encoded []string, config map[string]any, watched ...solana.PublicKey) []any {
	all := make([]any, len(encoded))
	for i := range all {
		all[i] = map[string]any{"encoding": "base64", "addresses": watched}
	}
	with := map[string]any{
		"preExecutionAccountsConfigs": all, "postExecutionAccountsConfigs": all, "skipSigVerify": true,
		"simulationBank": map[string]any{"commitment": map[string]any{"commitment": "processed"}},
	}
	for k, v := range config {
		with[k] = v
	}
	return []any{map[string]any{"encodedTransactions": encoded}, with}
}

func TestSimulatesBundles(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	bob, alice := build.PublicKey(s.Keypair("bob")), build.PublicKey(s.Keypair("alice"))
	encoded := s.chained(t, bob, alice, 2_000_000)
	result, problem := s.rpc(t, "simulateBundle", bundleOf(encoded, nil, bob, alice)...)
	require.Nil(t, problem)
	got := answer{JSON: result}
	assert.Equal(t, "succeeded", got.Text("value", "summary"))
	lamports := func(i int, when string, account int) string {
		return got.Text("value", "transactionResults", i, when, account, "lamports")
	}
	for i, want := range []struct{ bobBefore, bobAfter, aliceBefore, aliceAfter string }{
		{"0", "5000000", "0", "0"}, {"5000000", "2995000", "0", "2000000"},
	} {
		assert.Equal(t, want.bobBefore, lamports(i, "preExecutionAccounts", 0))
		assert.Equal(t, want.bobAfter, lamports(i, "postExecutionAccounts", 0))
		assert.Equal(t, want.aliceBefore, lamports(i, "preExecutionAccounts", 1))
		assert.Equal(t, want.aliceAfter, lamports(i, "postExecutionAccounts", 1))
		assert.Nil(t, got.At("value", "transactionResults", i, "err"))
	}
	assert.Zero(t, s.View().Balance(bob.String()), "nothing happened")

	result, problem = s.rpc(t, "simulateBundle", bundleOf(s.chained(t, bob, alice, 9_000_000), nil, bob)...)
	require.Nil(t, problem)
	got = answer{JSON: result}
	assert.NotNil(t, got.At("value", "summary", "failed", "error", "TransactionFailure"))
	assert.Nil(t, got.At("value", "transactionResults", 0, "err"))
	assert.NotNil(t, got.At("value", "transactionResults", 1, "err"))
	assert.Nil(t, got.At("value", "transactionResults", 1, "postExecutionAccounts"))

	result, problem = s.rpc(t, "simulateBundle", bundleOf([]string{encoded[1], encoded[0]}, nil, bob)...)
	require.Nil(t, problem)
	assert.Len(t, answer{JSON: result}.At("value", "transactionResults"), 1, "up to the first that fails")

	s.Advance(70 * time.Second)
	result, _ = s.rpc(t, "simulateBundle", bundleOf(encoded, nil, bob)...)
	assert.Equal(t, "BlockhashNotFound", answer{JSON: result}.Text("value", "transactionResults", 0, "err"))
	result, _ = s.rpc(t, "simulateBundle", bundleOf(encoded, map[string]any{"replaceRecentBlockhash": true}, bob)...)
	assert.Equal(t, "succeeded", answer{JSON: result}.Text("value", "summary"))
}

func TestRefusesBundles(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	bob, alice := build.PublicKey(s.Keypair("bob")), build.PublicKey(s.Keypair("alice"))
	encoded := s.chained(t, bob, alice, 2_000_000)
	for name, params := range map[string][]any{
		"none":              bundleOf(nil, nil),
		"too many":          bundleOf(make([]string, 21), nil),
		"accounts of one":   bundleOf(encoded, map[string]any{"preExecutionAccountsConfigs": []any{nil}}),
		"base58":            bundleOf(encoded, map[string]any{"transactionEncoding": "base58"}),
		"verify a new hash": bundleOf(encoded, map[string]any{"skipSigVerify": false, "replaceRecentBlockhash": true}),
		"twice the same":    bundleOf([]string{encoded[0], encoded[0]}, nil),
		"no transaction":    bundleOf([]string{"AAAA"}, nil),
	} {
		t.Run(name, func(t *testing.T) {
			_, problem := s.rpc(t, "simulateBundle", params...)
			require.NotNil(t, problem)
			assert.Equal(t, json.Number("-32602"), problem["code"])
		})
	}
}

func TestMostNodesHaveNoBundles(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Network: &play.Network{Nodes: []play.Node{{BundlesOff: true}}}})
	_, problem := s.rpc(t, "simulateBundle", bundleOf([]string{"AA=="}, nil)...)
	assert.Equal(t, json.Number("-32601"), problem["code"])
}
