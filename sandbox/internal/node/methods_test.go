package node_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/gagliardetto/solana-go/rpc/jsonrpc"
	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// started is a sandbox under test.
type started struct{ *worldtest.World }

type answer = worldtest.Answer

func start(t *testing.T, c play.Config) *started { return &started{worldtest.Start(t, c)} }

// node is the library's client of the sandbox's node.
func (s *started) node(t *testing.T) *rpc.Client {
	t.Helper()
	c := rpc.NewWithCustomRPCClient(jsonrpc.NewClientWithOpts(s.URL(play.RPC), &jsonrpc.RPCClientOpts{HTTPClient: &s.Client}))
	t.Cleanup(func() { c.Close() })
	return c
}

// payment is a signed transfer of the funded wallet's.
func (s *started) payment(t *testing.T, to solana.PublicKey, lamports uint64) *solana.Transaction {
	t.Helper()
	latest, err := s.node(t).GetLatestBlockhash(t.Context(), rpc.CommitmentProcessed)
	require.NoError(t, err)
	from := build.PublicKey(s.Wallet())
	tx, err := solana.NewTransaction(
		[]solana.Instruction{system.NewTransferInstruction(lamports, from, to).Build()}, latest.Value.Blockhash, solana.TransactionPayer(from))
	require.NoError(t, err)
	_, err = tx.Sign(func(solana.PublicKey) *solana.PrivateKey { return new(solana.PrivateKey(s.Wallet())) })
	require.NoError(t, err)
	return tx
}

func TestSubmitsAndConfirms(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	node, ctx := s.node(t), t.Context()
	to := build.PublicKey(s.Keypair("to"))
	tx := s.payment(t, to, 5_000_000)

	unknown, err := node.GetSignatureStatuses(ctx, true, tx.Signatures[0])
	require.NoError(t, err)
	assert.Equal(t, []*rpc.SignatureStatusesResult{nil}, unknown.Value)

	signature, err := node.SendTransactionWithOpts(ctx, tx, onNewest)
	require.NoError(t, err)
	assert.Equal(t, tx.Signatures[0], signature)
	_, err = node.SendTransactionWithOpts(ctx, tx, onNewest)
	require.ErrorContains(t, err, "This transaction has already been processed")
	_, err = node.SendTransactionWithOpts(ctx, tx, rpc.TransactionOpts{SkipPreflight: true})
	require.NoError(t, err)
	balance, err := node.GetBalance(ctx, to, rpc.CommitmentProcessed)
	require.NoError(t, err)
	assert.EqualValues(t, 5_000_000, balance.Value, "once")

	for _, step := range []struct {
		advance       time.Duration
		status        rpc.ConfirmationStatusType
		confirmations *uint64
	}{
		{0, rpc.ConfirmationStatusProcessed, new(uint64(0))},
		{400 * time.Millisecond, rpc.ConfirmationStatusConfirmed, new(uint64(1))},
		{31*400*time.Millisecond - 1, rpc.ConfirmationStatusConfirmed, new(uint64(31))},
		{1, rpc.ConfirmationStatusFinalized, nil},
	} {
		s.Advance(step.advance)
		out, err := node.GetSignatureStatuses(ctx, false, signature)
		require.NoError(t, err)
		assert.Equal(t, step.status, out.Value[0].ConfirmationStatus)
		assert.Equal(t, step.confirmations, out.Value[0].Confirmations)
		assert.Nil(t, out.Value[0].Err)
	}
	s.Advance(time.Hour)
	old, err := node.GetSignatureStatuses(ctx, false, signature)
	require.NoError(t, err)
	assert.Nil(t, old.Value[0], "only a search in the history finds it")
	old, err = node.GetSignatureStatuses(ctx, true, signature)
	require.NoError(t, err)
	assert.Equal(t, rpc.ConfirmationStatusFinalized, old.Value[0].ConfirmationStatus)

	landed, err := node.GetTransaction(ctx, signature, &rpc.GetTransactionOpts{Encoding: solana.EncodingBase64})
	require.NoError(t, err)
	assert.EqualValues(t, 5000, landed.Meta.Fee)
	assert.EqualValues(t, 5_000_000, landed.Meta.PostBalances[1])
	decoded, err := landed.Transaction.GetTransaction()
	require.NoError(t, err)
	assert.Equal(t, signature, decoded.Signatures[0])
	_, err = node.GetTransaction(ctx, solana.Signature{}, nil)
	assert.ErrorIs(t, err, rpc.ErrNotFound)
}

func TestInstantConfirmation(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, InstantConfirmation: true})
	node := s.node(t)
	signature, err := node.SendTransactionWithOpts(t.Context(), s.payment(t, build.PublicKey(s.Keypair("to")), 5_000_000), onNewest)
	require.NoError(t, err)
	out, err := node.GetSignatureStatuses(t.Context(), false, signature)
	require.NoError(t, err)
	assert.Equal(t, rpc.ConfirmationStatusFinalized, out.Value[0].ConfirmationStatus)
	assert.Equal(t, "finalized", s.View().TransactionStatus(signature.String()).Commitment)
}

func TestPreflight(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	node, ctx := s.node(t), t.Context()
	to := build.PublicKey(s.Keypair("to"))

	poor := s.payment(t, to, 1000*build.LamportsPerSOL)
	_, err := node.SendTransactionWithOpts(ctx, poor, onNewest)
	var refused *jsonrpc.RPCError
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, -32002, refused.Code)
	assert.Equal(t, "Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1", refused.Message)
	detail := refused.Data.(map[string]any)
	assert.Equal(t, map[string]any{"InstructionError": []any{json.Number("0"), map[string]any{"Custom": json.Number("1")}}}, detail["err"])
	assert.NotEmpty(t, detail["logs"])
	assert.False(t, s.View().TransactionStatus(poor.Signatures[0].String()).Found)

	_, err = node.SendTransactionWithOpts(ctx, poor, rpc.TransactionOpts{SkipPreflight: true})
	require.NoError(t, err)
	status := s.View().TransactionStatus(poor.Signatures[0].String())
	assert.True(t, status.Found)
	assert.Equal(t, "Error processing Instruction 0: custom program error: 0x1", status.Err)
	assert.EqualValues(t, 5000, status.Fee, "a failed transaction pays")

	unsigned := s.payment(t, to, 1)
	unsigned.Signatures[0] = solana.Signature{}
	_, err = node.SendTransactionWithOpts(ctx, unsigned, onNewest)
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, -32003, refused.Code)

	stale := s.payment(t, to, 5_000_000)
	s.Advance(151 * 400 * time.Millisecond)
	_, err = node.SendTransactionWithOpts(ctx, stale, onNewest)
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, "BlockhashNotFound", refused.Data.(map[string]any)["err"])
	valid, err := node.IsBlockhashValid(ctx, stale.Message.RecentBlockhash, rpc.CommitmentProcessed)
	require.NoError(t, err)
	assert.False(t, valid.Value)
}

// rpc calls a method as bytes and returns the result or the error object.
func (s *started) rpc(t *testing.T, method string, params ...any) (result any, problem map[string]any) {
	t.Helper()
	if params == nil {
		params = []any{}
	}
	out := s.raw(t, map[string]any{"jsonrpc": "2.0", "id": 7, "method": method, "params": params}).(map[string]any)
	assert.Equal(t, json.Number("7"), out["id"])
	assert.Equal(t, "2.0", out["jsonrpc"])
	problem, _ = out["error"].(map[string]any)
	return out["result"], problem
}

func (s *started) raw(t *testing.T, body any) (out any) {
	t.Helper()
	response, err := s.Client.Post(s.URL(play.RPC), "application/json", bytes.NewReader(kit.MustJSON(body)))
	require.NoError(t, err)
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	require.NoError(t, dec.Decode(&out), "%s", raw)
	return out
}

func TestTakesBase58AndBase64(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	to := build.PublicKey(s.Keypair("to"))
	encode := func(lamports uint64) []byte {
		raw, err := s.payment(t, to, lamports).MarshalBinary()
		require.NoError(t, err)
		return raw
	}
	result, problem := s.rpc(t, "sendTransaction", base58.Encode(encode(1_000_000)), object{"preflightCommitment": "processed"})
	require.Nil(t, problem)
	assert.GreaterOrEqual(t, len(result.(string)), 86)
	_, problem = s.rpc(t, "sendTransaction", base64.StdEncoding.EncodeToString(encode(2_000_000)), object{"encoding": "base64", "preflightCommitment": "processed"})
	require.Nil(t, problem)
	assert.EqualValues(t, 3_000_000, s.View().Balance(to.String()))

	for _, params := range [][]any{
		{}, {1}, {"0OIl"}, {"AAAA", map[string]any{"encoding": "base64"}}, {"AA", map[string]any{"encoding": "hex"}},
		{string(make([]byte, 6000))},
		{base58.Encode(append(encode(3), 0))},
	} {
		_, problem := s.rpc(t, "sendTransaction", params...)
		require.NotNil(t, problem, "%v", params)
		assert.Equal(t, json.Number("-32602"), problem["code"])
	}
}

func TestSimulates(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	a := s.Do(t, play.Lending, "POST", worldtest.LendingDepositPath, s.LendingDepositBody("USDC", "protected", 1_500_000))
	owner := build.PublicKey(s.Wallet())
	account := s.Token("USDC").Account(owner)
	ask := map[string]any{
		"encoding": "base64", "sigVerify": false, "innerInstructions": true, "commitment": "processed",
		"accounts": map[string]any{"encoding": "base64", "addresses": []string{account.String(), build.PublicKey(s.Keypair("none")).String()}},
	}
	result, problem := s.rpc(t, "simulateTransaction", a.Text("transaction"), ask)
	require.Nil(t, problem)
	got := answer{JSON: result}
	assert.Nil(t, got.At("value", "err"))
	assert.Equal(t, "15000", got.Text("value", "fee"))
	assert.Nil(t, got.At("value", "accounts", 1))
	data, err := base64.StdEncoding.DecodeString(got.Text("value", "accounts", 0, "data", 0))
	require.NoError(t, err)
	assert.EqualValues(t, int64(10_000_000_000-1_500_000), ledger.Token(data).Amount())
	assert.Equal(t, "1500000", got.Text("value", "innerInstructions", 0, "instructions", 0, "parsed", "info", "tokenAmount", "amount"))
	assert.Equal(t, "1.5", got.Text("value", "innerInstructions", 0, "instructions", 0, "parsed", "info", "tokenAmount", "uiAmountString"))
	assert.Equal(t, "spl-token", got.Text("value", "innerInstructions", 0, "instructions", 0, "program"))
	assert.Equal(t, "2", got.Text("value", "innerInstructions", 0, "instructions", 0, "stackHeight"))
	assert.EqualValues(t, int64(10_000_000_000), s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC")),
		"nothing happened")

	_, problem = s.rpc(t, "simulateTransaction", a.Text("transaction"), map[string]any{"encoding": "base64", "sigVerify": true})
	assert.Equal(t, json.Number("-32003"), problem["code"])
	_, problem = s.rpc(t, "simulateTransaction", a.Text("transaction"), map[string]any{"encoding": "base64", "sigVerify": true, "replaceRecentBlockhash": true})
	assert.Equal(t, json.Number("-32602"), problem["code"])

	s.Advance(70 * time.Second)
	result, _ = s.rpc(t, "simulateTransaction", a.Text("transaction"), object{"encoding": "base64", "commitment": "processed"})
	assert.Equal(t, "BlockhashNotFound", answer{JSON: result}.Text("value", "err"))
	result, _ = s.rpc(t, "simulateTransaction", a.Text("transaction"), map[string]any{"encoding": "base64", "replaceRecentBlockhash": true})
	assert.Nil(t, answer{JSON: result}.At("value", "err"))
	assert.NotEmpty(t, answer{JSON: result}.Text("value", "replacementBlockhash", "blockhash"))

	tx, err := solana.TransactionFromBase64(a.Text("transaction"))
	require.NoError(t, err)
	out, err := s.node(t).SimulateTransactionWithOpts(t.Context(), tx, &rpc.SimulateTransactionOpts{
		ReplaceRecentBlockhash: true,
		Accounts:               &rpc.SimulateTransactionAccountsOpts{Encoding: solana.EncodingBase64, Addresses: []solana.PublicKey{account}},
	})
	require.NoError(t, err)
	assert.Nil(t, out.Value.Err)
	assert.NotEmpty(t, out.Value.Logs)
	assert.EqualValues(t, solana.TokenProgramID, out.Value.Accounts[0].Owner)
}

func TestCompiledInner(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, CompiledInner: true})
	a := s.Do(t, play.Lending, "POST", worldtest.LendingDepositPath, s.LendingDepositBody("USDC", "protected", 1_500_000))
	result, _ := s.rpc(t, "simulateTransaction", a.Text("transaction"), object{"encoding": "base64", "innerInstructions": true, "commitment": "confirmed"})
	inner := answer{JSON: result}
	data, err := base58.Decode(inner.Text("value", "innerInstructions", 0, "instructions", 0, "data"))
	require.NoError(t, err)
	assert.Equal(t, []byte{12, 0x60, 0xe3, 0x16, 0, 0, 0, 0, 0, 6}, data)
	assert.Nil(t, inner.At("value", "innerInstructions", 0, "instructions", 0, "parsed"))
	assert.Equal(t, "2", inner.Text("value", "innerInstructions", 0, "index"), "two compute-budget instructions come first")
}

func TestAccounts(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	node, ctx := s.node(t), t.Context()
	owner := build.PublicKey(s.Wallet())
	usdc := s.Token("USDC")

	info, err := node.GetAccountInfo(ctx, usdc.Account(owner))
	require.NoError(t, err)
	assert.Equal(t, ledger.Rent(165), info.Value.Lamports)
	assert.EqualValues(t, int64(10_000_000_000), ledger.Token(info.GetBinary()).Amount())
	_, err = node.GetAccountInfo(ctx, build.PublicKey(s.Keypair("none")))
	assert.ErrorIs(t, err, rpc.ErrNotFound)
	many, err := node.GetMultipleAccounts(ctx, owner, build.PublicKey(s.Keypair("none")))
	require.NoError(t, err)
	assert.EqualValues(t, int64(100*build.LamportsPerSOL), many.Value[0].Lamports)
	assert.Nil(t, many.Value[1])

	balance, err := node.GetTokenAccountBalance(ctx, usdc.Account(owner), rpc.CommitmentConfirmed)
	require.NoError(t, err)
	assert.Equal(t, "10000000000", balance.Value.Amount)
	assert.Equal(t, "10000", balance.Value.UiAmountString)
	assert.EqualValues(t, 6, balance.Value.Decimals)
	owned, err := node.GetTokenAccountsByOwner(ctx, owner, &rpc.GetTokenAccountsConfig{ProgramId: &solana.TokenProgramID}, &rpc.GetTokenAccountsOpts{Encoding: solana.EncodingBase64})
	require.NoError(t, err)
	assert.Len(t, owned.Value, 2)
	owned, err = node.GetTokenAccountsByOwner(ctx, owner, &rpc.GetTokenAccountsConfig{Mint: &usdc.Key}, &rpc.GetTokenAccountsOpts{Encoding: solana.EncodingBase64})
	require.NoError(t, err)
	require.Len(t, owned.Value, 1)
	assert.Equal(t, usdc.Account(owner), owned.Value[0].Pubkey)

	rent, err := node.GetMinimumBalanceForRentExemption(ctx, 165, rpc.CommitmentFinalized)
	require.NoError(t, err)
	assert.EqualValues(t, 2_039_280, rent)
	result, problem := s.rpc(t, "getAccountInfo", build.USDCMint.String(), map[string]any{"encoding": "base64", "dataSlice": map[string]int{"offset": 44, "length": 1}})
	require.Nil(t, problem)
	assert.Equal(t, "Bg==", answer{JSON: result}.Text("value", "data", 0))
	assert.Equal(t, "82", answer{JSON: result}.Text("value", "space"))
}

func TestChain(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	node, ctx := s.node(t), t.Context()
	slot, err := node.GetSlot(ctx, rpc.CommitmentProcessed)
	require.NoError(t, err)
	finalized, err := node.GetSlot(ctx, rpc.CommitmentFinalized)
	require.NoError(t, err)
	assert.Equal(t, slot-32, finalized)
	height, err := node.GetBlockHeight(ctx, rpc.CommitmentProcessed)
	require.NoError(t, err)
	assert.Less(t, height, slot, "a slot is no block height")
	s.Advance(4 * time.Second)
	later, err := node.GetBlockHeight(ctx, rpc.CommitmentProcessed)
	require.NoError(t, err)
	assert.Equal(t, height+10, later)
	latest, err := node.GetLatestBlockhash(ctx, rpc.CommitmentFinalized)
	require.NoError(t, err)
	assert.Equal(t, later-32+150, latest.Value.LastValidBlockHeight)
	health, err := node.GetHealth(ctx)
	require.NoError(t, err)
	assert.Equal(t, "ok", health)
	version, err := node.GetVersion(ctx)
	require.NoError(t, err)
	assert.NotEmpty(t, version.SolanaCore)
	_, problem := s.rpc(t, "getSlot", map[string]any{"minContextSlot": slot + 1000, "commitment": "processed"})
	assert.Equal(t, json.Number("-32016"), problem["code"])
}

func TestProtocol(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	batch := s.raw(t, []any{
		map[string]any{"jsonrpc": "2.0", "id": 1, "method": "getHealth"},
		map[string]any{"jsonrpc": "2.0", "id": "two", "method": "getSlot", "params": []any{}},
	}).([]any)
	assert.Equal(t, "ok", batch[0].(map[string]any)["result"])
	assert.Equal(t, "two", batch[1].(map[string]any)["id"])
	_, problem := s.rpc(t, "getNothing")
	assert.Equal(t, json.Number("-32601"), problem["code"])
	assert.Equal(t, []string{"no such method"}, s.TakeProblems())
	old := s.raw(t, map[string]any{"id": 1, "method": "getSlot"}).(map[string]any)
	assert.Equal(t, json.Number("-32600"), old["error"].(map[string]any)["code"])
	broken := s.raw(t, "text").(map[string]any)
	assert.Equal(t, json.Number("-32700"), broken["error"].(map[string]any)["code"])
	response, err := s.Client.Get(s.URL(play.RPC))
	require.NoError(t, err)
	response.Body.Close()
	assert.Equal(t, http.StatusMethodNotAllowed, response.StatusCode)
}

func TestFaults(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	to := build.PublicKey(s.Keypair("to"))
	tx := s.payment(t, to, 5_000_000)
	s.Fault(play.Route{Service: play.RPC, Pattern: "sendTransaction"}, play.Fault{Reset: true, Handled: true, Times: 1})
	_, err := s.node(t).SendTransactionWithOpts(t.Context(), tx, onNewest)
	require.Error(t, err)
	assert.True(t, s.View().TransactionStatus(tx.Signatures[0].String()).Found, "sent, though the answer is lost")
	s.Fault(play.Route{Service: play.RPC}, play.Fault{Status: 503, Times: 1})
	_, err = s.node(t).GetHealth(t.Context())
	require.Error(t, err)
	assert.Equal(t, 1, s.Hits()[play.Route{Service: play.RPC, Method: "POST", Pattern: "sendTransaction"}])
	assert.Zero(t, s.Hits()[play.Route{Service: play.RPC, Method: "POST", Pattern: "getHealth"}])
}

// onNewest has a preflight know all that has landed.
var onNewest = rpc.TransactionOpts{PreflightCommitment: rpc.CommitmentProcessed}

// slots is so many slots of the clock.
func slots(n int) time.Duration { return time.Duration(n) * 400 * time.Millisecond }

// object is the last parameter of a call.
type object = map[string]any

// at is a config with a commitment.
func at(commitment string) object { return object{"commitment": commitment} }

// ask calls a method of node i. Of an error the answer is the error object.
func (s *started) ask(t *testing.T, i int, method string, params ...any) (a answer, code string) {
	t.Helper()
	if params == nil {
		params = []any{}
	}
	body := kit.MustJSON(object{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	response, err := s.Client.Post(s.HostURL(play.RPC, kit.NodeName(i)), "application/json", bytes.NewReader(body))
	require.NoError(t, err)
	defer response.Body.Close()
	var out object
	dec := json.NewDecoder(response.Body)
	dec.UseNumber()
	require.NoError(t, dec.Decode(&out))
	if problem, failed := out["error"]; failed {
		a = answer{JSON: problem}
		return a, a.Text("code")
	}
	return answer{JSON: out["result"]}, ""
}

// ok is ask that must succeed.
func (s *started) ok(t *testing.T, i int, method string, params ...any) answer {
	t.Helper()
	a, code := s.ask(t, i, method, params...)
	require.Empty(t, code, "%s %v: %s", method, params, a.Text("message"))
	return a
}

// paid lands a payment and returns its signature.
func (s *started) paid(t *testing.T, to string, lamports uint64) string {
	t.Helper()
	tx := s.payment(t, solana.MustPublicKeyFromBase58(to), lamports)
	s.send(t, tx)
	return tx.Signatures[0].String()
}

// named is the address of a wallet.
func (s *started) named(name string) string { return build.PublicKey(s.Keypair(name)).String() }
