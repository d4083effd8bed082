package wallet_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/binary"
	"testing"

	"github.com/gagliardetto/solana-go"
	computebudget "github.com/gagliardetto/solana-go/programs/compute-budget"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// page is a chain whose node can be searched for messages, and a user whose key is not the
// wallet's.
type page struct {
	*rig
	key *signing.LocalKey
	// lost are messages that the ledger does not execute.
	lost func(message []byte) bool
}

func newPage(t *testing.T, change func(*wallet.Config)) *page {
	t.Helper()
	p := &page{}
	var err error
	p.key, err = signing.NewLocalKeyFromSeed(bytes.Repeat([]byte{9}, ed25519.SeedSize))
	require.NoError(t, err)
	p.rig = newRigWith(t, func(c *wallet.Config) {
		node := searched{c.Confirmer.(*chain), p}
		c.Signer, c.Submitter, c.Confirmer, c.Heights = nil, node, node, node
		node.chain.Named = func(_ string, message []byte) string { return node.find(message) }
		if change != nil {
			change(c)
		}
	})
	p.owner = solana.PublicKey(p.key.PublicKey())
	return p
}

// searched finds what was executed by its message.
type searched struct {
	*chain
	page *page
}

func (s searched) FindMessage(_ context.Context, search walletfi.MessageSearch) (walletfi.FoundMessage, error) {
	return walletfi.FoundMessage{Signature: s.find(search.Message)}, nil
}

func (s searched) find(message []byte) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sent := range s.sent {
		tx, err := signing.Decode(sent.Transaction)
		require.NoError(s.T, err)
		if status, err := s.known(sent.Signature); err == nil && status.Found && bytes.Equal(tx.Message(), message) {
			return sent.Signature
		}
	}
	return ""
}

func (s searched) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	sent, err := signing.Decode(tx.Transaction)
	require.NoError(s.T, err)
	if s.page.lost != nil && s.page.lost(sent.Message()) {
		return tx.Signature, nil
	}
	return s.chain.Submit(ctx, tx)
}

// lands has the ledger execute what the page sends by itself.
func (p *page) lands(t *testing.T, signed []byte) {
	t.Helper()
	tx, err := signing.DecodeBytes(signed)
	require.NoError(t, err)
	_, err = p.chain.Submit(t.Context(), tx.Signed())
	require.NoError(t, err)
}

// transaction is one as a test writes it.
type transaction struct {
	version signing.Version
	payer   solana.PublicKey
	hash    byte
	calls   []solana.Instruction
	fee     uint64 // of v1
}

// transferOf is one that pays the shop a lamport.
func (p *page) transferOf(version signing.Version, salt byte, more ...solana.Instruction) transaction {
	p.bornNow(salt)
	calls := append(more, system.NewTransferInstruction(1, p.owner, p.shop).Build())
	return transaction{version: version, payer: p.owner, hash: salt, calls: calls}
}

// bornNow gives a blockhash its block.
func (p *page) bornNow(salt byte) {
	tip, blockhash := p.tip(), solana.Hash{salt}.String()
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, ok := p.born[blockhash]; !ok {
		p.born[blockhash] = tip
	}
}

// bytes are those of the transaction, unsigned.
func (x transaction) bytes(t *testing.T) []byte {
	t.Helper()
	tx, err := solana.NewTransaction(x.calls, solana.Hash{x.hash}, solana.TransactionPayer(x.payer))
	require.NoError(t, err)
	m := &tx.Message
	tx.Signatures = make([]solana.Signature, m.Header.NumRequiredSignatures)
	if x.version != signing.V1 {
		if x.version == signing.V0 {
			m.SetVersion(solana.MessageVersionV0)
		}
		raw, err := tx.MarshalBinary()
		require.NoError(t, err)
		return raw
	}
	h := m.Header
	b := []byte{0x81, h.NumRequiredSignatures, h.NumReadonlySignedAccounts, h.NumReadonlyUnsignedAccounts}
	b = binary.LittleEndian.AppendUint32(b, 3) // a priority fee alone
	b = append(b, m.RecentBlockhash[:]...)
	b = append(b, byte(len(m.Instructions)), byte(len(m.AccountKeys)))
	for _, k := range m.AccountKeys {
		b = append(b, k[:]...)
	}
	b = binary.LittleEndian.AppendUint64(b, x.fee)
	for _, ins := range m.Instructions {
		b = append(b, byte(ins.ProgramIDIndex), byte(len(ins.Accounts)))
		b = binary.LittleEndian.AppendUint16(b, uint16(len(ins.Data)))
	}
	for _, ins := range m.Instructions {
		for _, n := range ins.Accounts {
			b = append(b, byte(n))
		}
		b = append(b, ins.Data...)
	}
	return append(b, make([]byte, 64*int(h.NumRequiredSignatures))...)
}

// asked is a set with the intent of its owner, who pays the shop a lamport by each.
func (p *page) asked(t *testing.T, all ...transaction) walletfi.Unsigned {
	t.Helper()
	u := walletfi.Unsigned{LastValidBlockHeight: lastValid, Intent: walletfi.Intent{
		Service: "test", Owner: p.owner.String(), PayTo: []string{p.shop.String()},
		Spend: []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: walletfi.Amount(len(all))}},
	}}
	for _, x := range all {
		tx, err := signing.DecodeBytes(x.bytes(t))
		require.NoError(t, err)
		u.Transactions = append(u.Transactions, tx.Base64())
	}
	return u
}

// sign has keys sign bytes, as a browser's wallet does.
func sign(t *testing.T, raw []byte, keys ...*signing.LocalKey) []byte {
	t.Helper()
	tx, err := signing.DecodeBytes(raw)
	require.NoError(t, err)
	for _, key := range keys {
		require.NoError(t, signing.SignUnchecked(t.Context(), tx, key))
	}
	return tx.Bytes()
}

// signs has the user sign what was prepared.
func (p *page) signs(t *testing.T, prepared *wallet.Prepared) (signed [][]byte) {
	t.Helper()
	for _, text := range prepared.Transactions {
		tx, err := signing.Decode(text)
		require.NoError(t, err)
		signed = append(signed, sign(t, tx.Bytes(), p.key))
	}
	return signed
}

// budget has the instructions that wallets add for the compute budget.
func budget(t *testing.T, limit uint32, price uint64) []solana.Instruction {
	t.Helper()
	return []solana.Instruction{
		computebudget.NewSetComputeUnitLimitInstruction(limit).Build(),
		computebudget.NewSetComputeUnitPriceInstruction(price).Build(),
	}
}

// lighthouse is the program whose assertions wallets add.
var lighthouse = solana.MustPublicKeyFromBase58("L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95")

// lighthouseCall is an instruction of that program about accounts.
func lighthouseCall(kind byte, accounts ...*solana.AccountMeta) solana.Instruction {
	return solana.NewInstruction(lighthouse, accounts, []byte{kind, 1, 2})
}
