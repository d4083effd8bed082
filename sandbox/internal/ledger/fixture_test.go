package ledger

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"
)

// fixture is a ledger with a clock that the test moves.
type fixture struct {
	*Ledger
	t    *testing.T
	slot uint64
	keys map[solana.PublicKey]ed25519.PrivateKey
}

func newFixture(t *testing.T) *fixture {
	f := &fixture{t: t, slot: 100_000_000, keys: map[solana.PublicKey]ed25519.PrivateKey{}}
	f.Ledger = New(7, f)
	return f
}

// The fixture is the clock of its ledger. Every slot has a block.
func (f *fixture) Now() time.Time               { return time.Unix(1_700_000_000, 0) }
func (f *fixture) CurrentSlot() uint64          { return f.slot }
func (f *fixture) TimeOf(slot uint64) time.Time { return time.Unix(int64(1_600_000_000+slot), 0) }
func (f *fixture) BlockAt(slot uint64) uint64   { return slot }
func (f *fixture) Height(slot uint64) uint64    { return slot - 21_000_000 }

// key is a wallet whose signature the fixture can give.
func (f *fixture) key(name string) solana.PublicKey {
	seed := sha256.Sum256([]byte(name))
	private := ed25519.NewKeyFromSeed(seed[:])
	public := solana.PublicKeyFromBytes(private.Public().(ed25519.PublicKey))
	f.keys[public] = private
	return public
}

// rich is a wallet with 10 SOL.
func (f *fixture) rich(name string) solana.PublicKey {
	k := f.key(name)
	f.Airdrop(k, 10_000_000_000)
	return k
}

const sol = 1_000_000_000

// in is an instruction; accounts are marked by s (signer) and w (writable).
func in(program solana.PublicKey, data []byte, accounts ...*solana.AccountMeta) solana.Instruction {
	return solana.NewInstruction(program, accounts, data)
}

func w(k solana.PublicKey) *solana.AccountMeta  { return solana.Meta(k).WRITE() }
func s(k solana.PublicKey) *solana.AccountMeta  { return solana.Meta(k).SIGNER() }
func sw(k solana.PublicKey) *solana.AccountMeta { return solana.Meta(k).WRITE().SIGNER() }
func r(k solana.PublicKey) *solana.AccountMeta  { return solana.Meta(k) }

// words concatenates integers and keys.
func words(parts ...any) []byte {
	var b []byte
	for _, p := range parts {
		switch p := p.(type) {
		case uint8:
			b = append(b, p)
		case uint16:
			b = binary.LittleEndian.AppendUint16(b, p)
		case uint32:
			b = binary.LittleEndian.AppendUint32(b, p)
		case uint64:
			b = binary.LittleEndian.AppendUint64(b, p)
		case solana.PublicKey:
			b = append(b, p[:]...)
		case string:
			b = binary.LittleEndian.AppendUint64(b, uint64(len(p)))
			b = append(b, p...)
		default:
			panic("words: a type that is not known")
		}
	}
	return b
}

// tx builds and signs, v0 where there are tables.
func (f *fixture) tx(payer solana.PublicKey, instructions []solana.Instruction, tables ...solana.PublicKey) []byte {
	f.t.Helper()
	hash, _ := f.Blockhash(0)
	return f.txOn(hash, payer, instructions, tables...)
}

func (f *fixture) txOn(hash solana.Hash, payer solana.PublicKey, instructions []solana.Instruction, tables ...solana.PublicKey) []byte {
	f.t.Helper()
	options := []solana.TransactionOption{solana.TransactionPayer(payer)}
	if len(tables) > 0 {
		m := map[solana.PublicKey]solana.PublicKeySlice{}
		for _, t := range tables {
			m[t] = TableKeys(f.Account(t).Data)
		}
		options = append(options, solana.TransactionAddressTables(m))
	}
	tx, err := solana.NewTransaction(instructions, hash, options...)
	require.NoError(f.t, err)
	if len(tables) > 0 {
		tx.Message.SetVersion(solana.MessageVersionV0)
	}
	_, err = tx.PartialSign(func(k solana.PublicKey) *solana.PrivateKey {
		if private, ok := f.keys[k]; ok {
			return new(solana.PrivateKey(private))
		}
		return nil
	})
	require.NoError(f.t, err)
	raw, err := tx.MarshalBinary()
	require.NoError(f.t, err)
	return raw
}

// run lands a transaction, in a slot of its own, and returns its receipt.
func (f *fixture) run(payer solana.PublicKey, instructions ...solana.Instruction) *Receipt {
	f.t.Helper()
	f.slot++
	before := f.total()
	receipt, err := f.Submit(f.tx(payer, instructions))
	require.NoError(f.t, err)
	require.Equal(f.t, before-receipt.Fee, f.total(), "lamports appeared or vanished")
	return receipt
}

// ok lands a transaction that must succeed.
func (f *fixture) ok(payer solana.PublicKey, instructions ...solana.Instruction) *Receipt {
	f.t.Helper()
	receipt := f.run(payer, instructions...)
	require.Nil(f.t, receipt.Err, "%v %v", receipt.Err, receipt.Logs)
	return receipt
}

// fails lands a transaction whose last instruction must fail for a reason.
func (f *fixture) fails(want error, payer solana.PublicKey, instructions ...solana.Instruction) {
	f.t.Helper()
	receipt := f.run(payer, instructions...)
	require.NotNil(f.t, receipt.Err, "it succeeded")
	require.Equal(f.t, "InstructionError", receipt.Err.Kind, "%v", receipt.Err)
	require.Equal(f.t, len(instructions)-1, receipt.Err.Instruction)
	require.Equal(f.t, want, error(receipt.Err.Cause))
}

func (f *fixture) total() (lamports uint64) {
	f.Each(func(_ solana.PublicKey, a *Account) bool { lamports += a.Lamports; return true })
	return lamports
}

func (f *fixture) token(account solana.PublicKey) Token {
	f.t.Helper()
	t, ok := AsToken(f.Account(account))
	require.True(f.t, ok, "no token account")
	return t
}

// transfer is a system transfer.
func transfer(from, to solana.PublicKey, lamports uint64) solana.Instruction {
	return in(solana.SystemProgramID, words(uint32(2), lamports), sw(from), w(to))
}
