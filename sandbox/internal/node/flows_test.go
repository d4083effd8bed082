package node_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/programs/token"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// flow is a program that works as anchor's and spl-token's clients do: it sends at
// confirmed, waits for the notification, and reads at confirmed.
type flow struct {
	*started
	l       listener
	me      solana.PublicKey
	options []solana.TransactionOption
}

func startFlow(t *testing.T) *flow {
	s := start(t, play.Config{ManualClock: true})
	return &flow{started: s, l: s.listen(t), me: build.PublicKey(s.Wallet())}
}

// signed makes a transaction on a blockhash, or on a nonce, of the wallet and more signers.
func (f *flow) signed(t *testing.T, hash string, signers []string, instructions ...solana.Instruction) *solana.Transaction {
	t.Helper()
	options := append(slices.Clip(f.options), solana.TransactionPayer(f.me))
	tx, err := solana.NewTransaction(instructions, solana.MustHashFromBase58(hash), options...)
	require.NoError(t, err)
	_, err = tx.Sign(func(k solana.PublicKey) *solana.PrivateKey {
		keys := []ed25519.PrivateKey{f.Wallet()}
		for _, name := range signers {
			keys = append(keys, f.Keypair(name))
		}
		for _, key := range keys {
			if build.PublicKey(key) == k {
				return new(solana.PrivateKey(key))
			}
		}
		return nil
	})
	require.NoError(t, err)
	return tx
}

// confirm sends a transaction and waits until it is confirmed.
func (f *flow) confirm(t *testing.T, tx *solana.Transaction) {
	t.Helper()
	number := strings.TrimPrefix(f.l.say("signatureSubscribe", tx.Signatures[0], at("confirmed")), `"result":`)
	raw, err := tx.MarshalBinary()
	require.NoError(t, err)
	sent := f.ok(t, 0, "sendTransaction", base64.StdEncoding.EncodeToString(raw),
		object{"encoding": "base64", "preflightCommitment": "confirmed"})
	require.Equal(t, tx.Signatures[0].String(), sent.JSON)
	f.Advance(slots(1))
	text := worldtest.FeedRead(t, f.l.Conn)
	require.Contains(t, text, `"value":{"err":null}`)
	require.Contains(t, text, `"subscription":`+number)
}

func (f *flow) do(t *testing.T, signers []string, instructions ...solana.Instruction) {
	t.Helper()
	hash := f.ok(t, 0, "getLatestBlockhash", at("confirmed")).Text("value", "blockhash")
	f.confirm(t, f.signed(t, hash, signers, instructions...))
}

func (f *flow) key(name string) solana.PublicKey { return build.PublicKey(f.Keypair(name)) }

// data is an account's data at confirmed.
func (f *flow) data(t *testing.T, key solana.PublicKey) []byte {
	t.Helper()
	a := f.ok(t, 0, "getAccountInfo", key, object{"encoding": "base64", "commitment": "confirmed"})
	if a.At("value") == nil {
		return nil
	}
	raw, err := base64.StdEncoding.DecodeString(a.Text("value", "data", 0))
	require.NoError(t, err)
	return raw
}

func (f *flow) amount(t *testing.T, key solana.PublicKey) string {
	t.Helper()
	return f.ok(t, 0, "getTokenAccountBalance", key, at("confirmed")).Text("value", "amount")
}

// of has an instruction of the token program carried out by another.
func of(program solana.PublicKey, in solana.Instruction) solana.Instruction {
	data, err := in.Data()
	if err != nil {
		panic(err)
	}
	return solana.NewInstruction(program, in.Accounts(), data)
}

// TestTokenFlows makes a mint and its accounts, with both token programs.
func TestTokenFlows(t *testing.T) {
	for _, program := range []solana.PublicKey{solana.TokenProgramID, solana.Token2022ProgramID} {
		f := startFlow(t)
		f.tokens(t, program)
	}
}

func (f *flow) tokens(t *testing.T, program solana.PublicKey) {
	me, mint, mine, other := f.me, f.key("mint"), f.key("mine"), f.key("other")
	f.do(t, []string{"mint"},
		system.NewCreateAccountInstruction(ledger.Rent(82), 82, program, me, mint).Build(),
		of(program, token.NewInitializeMint2Instruction(3, me, me, mint).Build()))
	f.do(t, []string{"mine", "other"},
		system.NewCreateAccountInstruction(ledger.Rent(165), 165, program, me, mine).Build(),
		of(program, token.NewInitializeAccount3Instruction(me, mine, mint).Build()),
		system.NewCreateAccountInstruction(ledger.Rent(165), 165, program, me, other).Build(),
		of(program, token.NewInitializeAccount3Instruction(me, other, mint).Build()))
	f.do(t, nil, of(program, token.NewMintToInstruction(1000, mint, mine, me, nil).Build()))
	assert.Equal(t, "1000", f.amount(t, mine))
	f.do(t, nil, of(program, token.NewTransferCheckedInstruction(400, 3, mine, mint, other, me, nil).Build()))
	f.do(t, nil, of(program, token.NewTransferInstruction(100, other, mine, me, nil).Build()))
	assert.Equal(t, []string{"700", "300"}, []string{f.amount(t, mine), f.amount(t, other)})
	f.do(t, nil, of(program, token.NewApproveInstruction(5, other, f.key("delegate"), me, nil).Build()))
	assert.EqualValues(t, 5, binary.LittleEndian.Uint64(f.data(t, other)[121:]))
	f.do(t, nil, of(program, token.NewRevokeInstruction(other, me, nil).Build()))
	f.do(t, nil, of(program, token.NewBurnInstruction(300, other, mint, me, nil).Build()))
	f.do(t, nil, of(program, token.NewCloseAccountInstruction(other, me, me, nil).Build()))
	assert.Nil(t, f.data(t, other))
	assert.EqualValues(t, 700, binary.LittleEndian.Uint64(f.data(t, mint)[36:]), "the supply")
}

func TestWrapFlow(t *testing.T) {
	f := startFlow(t)
	wrapped := f.key("wrapped")
	f.do(t, []string{"wrapped"},
		system.NewCreateAccountInstruction(ledger.Rent(165)+1_000_000, 165, solana.TokenProgramID, f.me, wrapped).Build(),
		token.NewInitializeAccount3Instruction(f.me, wrapped, solana.SolMint).Build())
	assert.Equal(t, "1000000", f.amount(t, wrapped))
	f.do(t, nil, system.NewTransferInstruction(5, f.me, wrapped).Build(), token.NewSyncNativeInstruction(wrapped).Build())
	assert.Equal(t, "1000005", f.amount(t, wrapped))
	f.do(t, nil, token.NewCloseAccountInstruction(wrapped, f.me, f.me, nil).Build())
	assert.Nil(t, f.data(t, wrapped))
}

func TestLookupTableFlow(t *testing.T) {
	f := startFlow(t)
	f.Advance(slots(40))
	text := f.ok(t, 0, "getSlot", at("finalized")).JSON.(json.Number)
	recent, err := text.Int64()
	require.NoError(t, err)
	seed := binary.LittleEndian.AppendUint64(nil, uint64(recent))
	program := solana.AddressLookupTableProgramID
	table, bump, err := solana.FindProgramAddress([][]byte{f.me[:], seed}, program)
	require.NoError(t, err)
	accounts := solana.AccountMetaSlice{
		solana.Meta(table).WRITE(), solana.Meta(f.me).SIGNER(), solana.Meta(f.me).WRITE().SIGNER(), solana.Meta(solana.SystemProgramID),
	}
	to := f.key("to")
	extend := append([]byte{2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}, to[:]...)
	f.do(t, nil,
		solana.NewInstruction(program, accounts, append(append([]byte{0, 0, 0, 0}, seed...), bump)),
		solana.NewInstruction(program, accounts, extend))
	assert.Equal(t, to[:], f.data(t, table)[56:])
	f.Advance(slots(1)) // in the slot that extends it, a table's new addresses cannot be used
	f.options = []solana.TransactionOption{solana.TransactionAddressTables(map[solana.PublicKey]solana.PublicKeySlice{table: {to}})}
	f.do(t, nil, system.NewTransferInstruction(5_000_000, f.me, to).Build())
	assert.Equal(t, "5000000", f.ok(t, 0, "getBalance", to, at("confirmed")).Text("value"))
	f.simulatesAccounts(t, system.NewTransferInstruction(5_000_000, f.me, to).Build())
}

// simulatesAccounts asks a simulation for as many accounts as a transaction has, one of which a table loads, and
// for more.
func (f *flow) simulatesAccounts(t *testing.T, pay solana.Instruction) {
	t.Helper()
	hash := f.ok(t, 0, "getLatestBlockhash", at("confirmed")).Text("value", "blockhash")
	raw, err := f.signed(t, hash, nil, pay).MarshalBinary()
	require.NoError(t, err)
	ask := func(encoding string, addresses ...string) (answer, string) {
		accounts := object{"encoding": encoding, "addresses": addresses}
		return f.ask(t, 0, "simulateTransaction", base64.StdEncoding.EncodeToString(raw),
			object{"encoding": "base64", "commitment": "confirmed", "accounts": accounts})
	}
	me := f.me.String()
	got, code := ask("base64", me, me, me)
	assert.Empty(t, code)
	assert.Len(t, got.At("value", "accounts"), 3)
	for why, asked := range map[string][]string{
		"Too many accounts provided; max 3": {"base64", me, me, me, me},
		"base58 encoding not supported":     {"base58", me, me, me, me},
		"Invalid param: WrongSize":          {"base64", me, "x"},
	} {
		got, _ := ask(asked[0], asked[1:]...)
		assert.Equal(t, why, got.Text("message"))
	}
}

// TestNonceFlow sends a transaction on a nonce. It is read at confirmed, also while the
// transaction that advances it is only processed.
func TestNonceFlow(t *testing.T) {
	f := startFlow(t)
	nonce, hashes := f.key("nonce"), solana.SysVarRecentBlockHashesPubkey
	f.do(t, []string{"nonce"},
		system.NewCreateAccountInstruction(ledger.Rent(80), 80, solana.SystemProgramID, f.me, nonce).Build(),
		system.NewInitializeNonceAccountInstruction(f.me, nonce, hashes, solana.SysVarRentPubkey).Build())
	value := func() string { return solana.HashFromBytes(f.data(t, nonce)[40:72]).String() }
	first, to := value(), f.key("to")
	f.Advance(slots(500)) // no blockhash would live so long
	tx := f.signed(t, first, nil, system.NewAdvanceNonceAccountInstruction(nonce, hashes, f.me).Build(),
		system.NewTransferInstruction(5_000_000, f.me, to).Build())
	f.l.say("accountSubscribe", nonce, object{"commitment": "processed", "encoding": "base64"})
	raw, err := tx.MarshalBinary()
	require.NoError(t, err)
	f.ok(t, 0, "sendTransaction", base64.StdEncoding.EncodeToString(raw), object{"encoding": "base64", "skipPreflight": true})
	assert.Contains(t, worldtest.FeedRead(t, f.l.Conn), `"method":"accountNotification"`)
	assert.Equal(t, first, value(), "it is only processed")
	f.Advance(slots(1))
	second := value()
	assert.NotEqual(t, first, second)
	a, code := f.ask(t, 0, "sendTransaction", base64.StdEncoding.EncodeToString(raw), object{"encoding": "base64", "preflightCommitment": "confirmed"})
	assert.Equal(t, "-32002", code)
	assert.Equal(t, "Transaction simulation failed: This transaction has already been processed", a.Text("message"))
	again := f.signed(t, first, nil, system.NewAdvanceNonceAccountInstruction(nonce, hashes, f.me).Build())
	raw, err = again.MarshalBinary()
	require.NoError(t, err)
	a, _ = f.ask(t, 0, "sendTransaction", base64.StdEncoding.EncodeToString(raw), object{"encoding": "base64", "preflightCommitment": "confirmed"})
	assert.Equal(t, "Transaction simulation failed: Blockhash not found", a.Text("message"), "an old value")
}
