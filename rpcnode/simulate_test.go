package rpcnode_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
	associatedtokenaccount "github.com/gagliardetto/solana-go/programs/associated-token-account"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/programs/token"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode/solanago"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
)

func mint(b *bench, symbol string) solana.PublicKey {
	return solana.MustPublicKeyFromBase58(b.s.Mint(symbol))
}

func associated(t *testing.T, wallet, mint solana.PublicKey) solana.PublicKey {
	address, _, err := solana.FindAssociatedTokenAddress(wallet, mint)
	require.NoError(t, err)
	return address
}

// send pays USDC to the shop, whose account is made first.
func (b *bench) send(t *testing.T, amount uint64) []solana.Instruction {
	usdc := mint(b, "USDC")
	return []solana.Instruction{
		associatedtokenaccount.NewCreateInstruction(b.me, shop, usdc).Build(),
		token.NewTransferCheckedInstruction(amount, 6, associated(t, b.me, usdc), usdc, associated(t, shop, usdc), b.me, nil).Build(),
	}
}

func simulationRequest(tx *signing.Transaction, keys ...solana.PublicKey) signing.SimulationRequest {
	r := signing.SimulationRequest{Transaction: tx}
	for _, k := range keys {
		r.Accounts = append(r.Accounts, signing.PublicKey(k))
	}
	return r
}

func tokenAmount(s signing.AccountState) uint64 { return binary.LittleEndian.Uint64(s.Data[64:]) }

func TestSimulate(t *testing.T) {
	var forms [2][]signing.InnerInstruction
	for i, compiled := range []bool{false, true} {
		t.Run(fmt.Sprintf("compiled %v", compiled), func(t *testing.T) {
			b := onSandbox(t, sandbox.Config{CompiledInner: compiled, ManualClock: true})
			usdc := mint(b, "USDC")
			mine, theirs := associated(t, b.me, usdc), associated(t, shop, usdc)
			tx := b.build(t, b.send(t, 2_500_000)...)
			s, err := b.Simulate(t.Context(), simulationRequest(tx, b.me, mine, theirs))
			require.NoError(t, err)
			require.Empty(t, s.Err)
			require.NotZero(t, s.Slot)
			require.Positive(t, s.Units)
			require.Less(t, s.Units, uint64(200_000))
			require.EqualValues(t, int64(100_000_000_000), s.Before[0].Lamports)
			require.Less(t, s.After[0].Lamports, s.Before[0].Lamports-2_000_000, "fee and rent")
			require.Equal(t, tokenAmount(s.Before[1])-2_500_000, tokenAmount(s.After[1]))
			require.Zero(t, s.Before[2])
			require.EqualValues(t, 2_500_000, tokenAmount(s.After[2]))
			require.Equal(t, signing.TokenProgram, s.After[2].Owner)
			require.Zero(t, b.s.Ledger().TokenBalance(shop.String(), usdc.String()), "nothing landed")

			require.NotEmpty(t, s.Inner)
			for _, in := range s.Inner {
				require.Zero(t, in.Outer)
				require.NotNil(t, in.Data)
			}
			create := s.Inner[1]
			require.Equal(t, signing.SystemProgram, create.Program)
			require.Equal(t, []signing.PublicKey{signing.PublicKey(b.me), signing.PublicKey(theirs)}, create.Accounts)
			require.Zero(t, binary.LittleEndian.Uint32(create.Data))
			require.EqualValues(t, 165, binary.LittleEndian.Uint64(create.Data[12:]))
			forms[i] = s.Inner
		})
	}
	require.Len(t, forms[1], len(forms[0]))
	for i := range forms[1] {
		if forms[1][i].Data[0] == 21 { // a size query, told by its tag alone
			forms[1][i].Data = forms[1][i].Data[:1]
		}
	}
	require.Equal(t, forms[1], forms[0], "parsed and compiled are the same bytes")
}

func TestSimulateFailure(t *testing.T) {
	b := onSandbox(t, sandbox.Config{})
	s, err := b.Simulate(t.Context(), simulationRequest(b.build(t, b.pay(1_000_000_000_000)), b.me, shop))
	require.NoError(t, err)
	require.Contains(t, s.Err, "InstructionError")
	require.Len(t, s.Before, 2)
	require.Len(t, s.After, 2)
}

// TestSimulateV1 gives the node the format that solana-go cannot hold.
func TestSimulateV1(t *testing.T) {
	b := onSandbox(t, sandbox.Config{})
	tx := v1Payment(t, b, 2_000_000)
	s, err := b.Simulate(t.Context(), simulationRequest(tx, b.me, shop))
	require.NoError(t, err)
	require.Empty(t, s.Err)
	require.EqualValues(t, 2_000_000, s.After[1].Lamports)
	require.NotNil(t, s.Inner)
	signature, err := b.Submit(t.Context(), b.sign(t, tx))
	require.NoError(t, err)
	require.Equal(t, tx.Signature().String(), signature)
}

// v1Payment is a v1 transaction that pays the shop.
func v1Payment(t *testing.T, b *bench, lamports uint64) *signing.Transaction {
	t.Helper()
	hash, _, err := b.LatestBlockhash(t.Context())
	require.NoError(t, err)
	blockhash := solana.MustHashFromBase58(hash)
	raw := []byte{0x81, 1, 0, 1, 12, 0, 0, 0} // with limits of units and of loaded bytes
	raw = append(raw, blockhash[:]...)
	raw = append(raw, 1, 3)
	for _, k := range []solana.PublicKey{b.me, shop, solana.SystemProgramID} {
		raw = append(raw, k[:]...)
	}
	raw = binary.LittleEndian.AppendUint32(raw, 10_000)
	raw = binary.LittleEndian.AppendUint32(raw, 1<<20)
	raw = append(raw, 2, 2, 12, 0, 0, 1, 2, 0, 0, 0)
	raw = binary.LittleEndian.AppendUint64(raw, lamports)
	tx, err := signing.DecodeBytes(append(raw, make([]byte, 64)...))
	require.NoError(t, err)
	require.Equal(t, signing.V1, tx.Version())
	return tx
}

// node is a made-up node on which an account of ours holds what balance says.
type fakeNode struct {
	slot     uint64
	still    bool // it stays in its slot
	balance  func(read int) uint64
	reads    int
	runs     int
	simulate string // answer; %d is the slot
	asked    map[string]any
}

func (f *fakeNode) answer(w http.ResponseWriter, method string, params []json.RawMessage) {
	switch method {
	case "getMultipleAccounts":
		f.reads++
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":%d},"value":[%s]}}`, f.slot, accountJSON(f.balance(f.reads)))
	case "simulateTransaction":
		f.runs++
		if !f.still {
			f.slot++
		}
		json.Unmarshal(params[1], &f.asked)
		fmt.Fprintf(w, f.simulate, f.slot)
	}
}

func accountJSON(lamports uint64) string {
	return fmt.Sprintf(`{"lamports":%d,"owner":"11111111111111111111111111111111","data":["","base64"],"executable":false,"rentEpoch":18446744073709551615,"space":0}`, lamports)
}

const simulatedFine = `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":%d},"value":{"err":null,"accounts":[` +
	`{"lamports":5,"owner":"11111111111111111111111111111111","data":["","base64"]}],"innerInstructions":[]}}}`

func payer(t *testing.T) (*signing.Transaction, signing.PublicKey) {
	tx, err := signing.Decode(signedOffline(t).Transaction)
	require.NoError(t, err)
	return tx, tx.FeePayer()
}

func TestSimulateReadsBeforeTwice(t *testing.T) {
	f := &fakeNode{slot: 7, simulate: simulatedFine, balance: func(int) uint64 { return 9 }}
	tx, me := payer(t)
	s, err := onFake(t, f.answer).Simulate(t.Context(), signing.SimulationRequest{Transaction: tx, Accounts: []signing.PublicKey{me}})
	require.NoError(t, err)
	require.EqualValues(t, 9, s.Before[0].Lamports)
	require.EqualValues(t, 5, s.After[0].Lamports)
	require.EqualValues(t, 8, s.Slot)
	require.Equal(t, 2, f.reads)
	require.Equal(t, false, f.asked["sigVerify"])
	require.Equal(t, true, f.asked["replaceRecentBlockhash"])
	require.Equal(t, true, f.asked["innerInstructions"])
	require.EqualValues(t, 7, f.asked["minContextSlot"])
	require.Equal(t, "confirmed", f.asked["commitment"])
}

// TestSimulateInOneSlot: a confirmed slot has one state. What is processed goes on changing
// within its slot, so that the accounts are read again.
func TestSimulateInOneSlot(t *testing.T) {
	tx, me := payer(t)
	for commitment, want := range map[walletfi.Commitment]struct{ runs, reads int }{
		walletfi.CommitmentConfirmed: {1, 1}, walletfi.CommitmentFinalized: {1, 1}, walletfi.CommitmentProcessed: {2, 4},
	} {
		f := &fakeNode{slot: 7, still: true, simulate: simulatedFine, balance: func(read int) uint64 { return min(uint64(read), 2) }}
		s, err := onFakeAt(t, commitment, f.answer).Simulate(t.Context(), signing.SimulationRequest{Transaction: tx, Accounts: []signing.PublicKey{me}})
		require.NoError(t, err)
		require.Equal(t, want.runs, f.runs, commitment)
		require.Equal(t, want.reads, f.reads, commitment)
		require.EqualValues(t, want.runs, s.Before[0].Lamports, commitment)
	}
}

func TestSimulateAnewWhereOursChanged(t *testing.T) {
	f := &fakeNode{slot: 7, simulate: simulatedFine, balance: func(read int) uint64 { return min(uint64(read), 2) }}
	tx, me := payer(t)
	s, err := onFake(t, f.answer).Simulate(t.Context(), signing.SimulationRequest{Transaction: tx, Accounts: []signing.PublicKey{me}})
	require.NoError(t, err)
	require.Equal(t, 2, f.runs)
	require.EqualValues(t, 2, s.Before[0].Lamports)

	f = &fakeNode{slot: 7, simulate: simulatedFine, balance: func(read int) uint64 { return uint64(read) }}
	_, err = onFake(t, f.answer).Simulate(t.Context(), signing.SimulationRequest{Transaction: tx, Accounts: []signing.PublicKey{me}})
	require.ErrorIs(t, err, walletfi.ErrUnavailable)
	require.Equal(t, 3, f.runs)

	f = &fakeNode{slot: 7, simulate: simulatedFine, balance: func(read int) uint64 { return uint64(read) }}
	_, err = onFake(t, f.answer).Simulate(t.Context(), simulationRequest(tx, shop))
	require.NoError(t, err, "another's account may change")
	require.Equal(t, 1, f.runs)
}

func TestSimulateRefusesWhatItCannotTell(t *testing.T) {
	tx, me := payer(t)
	for name, answer := range map[string]string{
		"no inner instructions": `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":%d},"value":{"err":null,"accounts":[null],"innerInstructions":null}}}`,
		"no accounts":           `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":%d},"value":{"err":null,"accounts":null,"innerInstructions":[]}}}`,
		"too many accounts":     `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":%d},"value":{"err":null,"accounts":[null,null],"innerInstructions":[]}}}`,
		"data in base58":        `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":%d},"value":{"err":null,"accounts":[{"lamports":1,"owner":"11111111111111111111111111111111","data":["1","base58"]}],"innerInstructions":[]}}}`,
		"no value":              `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":%d},"value":null}}`,
		"index out of range":    `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":%d},"value":{"err":null,"accounts":[null],"innerInstructions":[{"index":0,"instructions":[{"programIdIndex":9,"accounts":[],"data":"1"}]}]}}}`,
		"no program":            `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":%d},"value":{"err":null,"accounts":[null],"innerInstructions":[{"index":0,"instructions":[{"accounts":[],"data":"1"}]}]}}}`,
		"no data":               `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":%d},"value":{"err":null,"accounts":[null],"innerInstructions":[{"index":0,"instructions":[{"programIdIndex":0,"accounts":[]}]}]}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			f := &fakeNode{slot: 7, simulate: answer, balance: func(int) uint64 { return 1 }}
			_, err := onFake(t, f.answer).Simulate(t.Context(), signing.SimulationRequest{Transaction: tx, Accounts: []signing.PublicKey{me}})
			require.ErrorIs(t, err, walletfi.ErrDecode)
		})
	}
	_, err := onFake(t, says(200, "")).Simulate(t.Context(), signing.SimulationRequest{})
	var invalid *walletfi.ValidationError
	require.ErrorAs(t, err, &invalid)
}

func TestSimulateHalfParsed(t *testing.T) {
	tx, me := payer(t)
	f := &fakeNode{slot: 7, balance: func(int) uint64 { return 1 }, simulate: `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":%d},"value":{"err":null,"accounts":[null],"innerInstructions":[` +
		`{"index":3,"instructions":[{"programId":"` + shop.String() + `","accounts":["` + me.String() + `"],"data":"","stackHeight":2}]}]}}}`}
	s, err := onFake(t, f.answer).Simulate(t.Context(), signing.SimulationRequest{Transaction: tx, Accounts: []signing.PublicKey{me}})
	require.NoError(t, err)
	require.Equal(t, []signing.InnerInstruction{{
		Outer: 3, Program: signing.PublicKey(shop), Accounts: []signing.PublicKey{me}, Data: []byte{},
	}}, s.Inner)
}

// TestSimulateManyAccounts: a node reads 100 accounts a call, a request may
// name 256.
func TestSimulateManyAccounts(t *testing.T) {
	var sizes []int
	node := onFake(t, func(w http.ResponseWriter, method string, params []json.RawMessage) {
		n := 256
		if method == "getMultipleAccounts" {
			var keys []string
			json.Unmarshal(params[0], &keys)
			n = len(keys)
			sizes = append(sizes, n)
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":5},"value":[%s]}}`, strings.Repeat("null,", n-1)+accountJSON(uint64(n)))
			return
		}
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":5},"value":{"err":null,"accounts":[%snull],"innerInstructions":[]}}}`, strings.Repeat("null,", n-1))
	})
	tx, _ := payer(t)
	r := signing.SimulationRequest{Transaction: tx}
	for i := range 256 {
		r.Accounts = append(r.Accounts, signing.PublicKey{1, byte(i)})
	}
	s, err := node.Simulate(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, []int{100, 100, 56}, sizes, "and not again in the same slot")
	require.Len(t, s.Before, 256)
	require.EqualValues(t, 100, s.Before[99].Lamports)
	require.EqualValues(t, 100, s.Before[199].Lamports)
	require.EqualValues(t, 56, s.Before[255].Lamports)
	require.Zero(t, s.Before[0])
}

// TestSimulateKeepsADurableNonce: with another blockhash in its place, the node
// could not tell whether the nonce is the one that the account holds.
func TestSimulateKeepsADurableNonce(t *testing.T) {
	wallet, account := solana.NewWallet().PublicKey(), solana.NewWallet().PublicKey()
	built, err := solana.NewTransaction([]solana.Instruction{
		system.NewAdvanceNonceAccountInstruction(account, solana.SysVarRecentBlockHashesPubkey, wallet).Build(),
		system.NewTransferInstruction(1, wallet, shop).Build(),
	}, solana.Hash{1}, solana.TransactionPayer(wallet))
	require.NoError(t, err)
	tx, err := solanago.FromSolana(built)
	require.NoError(t, err)
	f := &fakeNode{slot: 7, simulate: simulatedFine, balance: func(int) uint64 { return 9 }}
	_, err = onFake(t, f.answer).Simulate(t.Context(), simulationRequest(tx, wallet))
	require.NoError(t, err)
	require.Equal(t, false, f.asked["replaceRecentBlockhash"])
}
