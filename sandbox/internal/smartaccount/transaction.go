package smartaccount

import (
	"crypto/ed25519"
	"encoding/base64"
	"net/http"
	"slices"
	"strconv"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// transaction is a transaction that was executed for an account, by its owner
// or by a mandate.
type transaction struct {
	id           string
	receipt      *ledger.Receipt
	instructions []instruction
}

func (t *transaction) answer() map[string]any {
	return map[string]any{
		"id": t.id, "signature": t.receipt.Signature.String(), "status": "confirmed", "timestamp": kit.Stamp(t.receipt.Time),
	}
}

type transactionRequest struct {
	Account     string `path:"accountId" open:"an identifier"`
	Transaction string `path:"transactionId" open:"an identifier"`
}

func (b *Service) getTransaction(c *kit.Call, in transactionRequest) any {
	w := b.wallet(c, in.Account)
	t := kit.Found(kit.Find(w.transactions, func(t *transaction) bool { return t.id == in.Transaction }),
		"there is no transaction %s", in.Transaction)
	a := t.answer()
	a["instructions"], a["slot"], a["fee"] = t.instructions, t.receipt.Slot, strconv.FormatUint(t.receipt.Fee, 10)
	return a
}

// The default and the largest page size. Both are undocumented.
const (
	page    = 20
	pageCap = 100
)

type transactionsRequest struct {
	Account string `path:"accountId" open:"an identifier"`
	Limit   *int   `query:"limit"`
	Offset  int    `query:"offset"`
}

// listTransactions lists the newest first.
func (b *Service) listTransactions(c *kit.Call, in transactionsRequest) any {
	w := b.wallet(c, in.Account)
	limit := min(kit.Or(in.Limit, page), pageCap)
	newest := slices.Clone(w.transactions)
	slices.Reverse(newest)
	return map[string]any{
		"transactions": kit.List(kit.Page(newest, in.Offset, &limit, limit), (*transaction).answer),
		"total":        len(newest), "limit": limit, "offset": in.Offset,
	}
}

// maxFee is the most that the sponsor pays for a transaction.
const maxFee = 10_000_000

type executeRequest struct {
	Account      string        `path:"accountId" open:"an identifier"`
	Instructions []instruction `body:"instructions,required"`
	Signature    *string       `body:"sessionKeySignature" form:"base64"` // base64
}

// execute carries out instructions on the ledger in the account's name. A
// transaction that would fail is refused and never lands.
func (b *Service) execute(c *kit.Call, in executeRequest) any {
	w := b.wallet(c, in.Account)
	instructions := b.instructions(c, w, in.Instructions)
	var session *session
	if in.Signature != nil {
		session = b.signedBy(w, *in.Signature, in.Instructions)
	}
	// The service's own instruction makes identical requests in the same slot
	// differ.
	raw := b.compose(w, append(instructions, b.Instruct(play.SmartAccount, build.Effect{Owner: w.key})))
	out := b.rehearse(w, raw)
	if session != nil {
		session.permit(instructions, out, b.Now())
	}
	w.checkPolicies(out, b.Now())
	t := b.land(w, raw, in.Instructions)
	w.spent = out.book(w.spent, b.Now())
	if session != nil {
		session.spent = out.book(session.spent, b.Now())
	}
	return map[string]any{
		"id": t.id, "signature": t.receipt.Signature.String(), "status": "confirmed", "slot": t.receipt.Slot,
	}
}

// compose makes the signed transaction. It is not sent to a caller, so an
// Attack does not see it.
func (b *Service) compose(w *wallet, instructions []solana.Instruction) []byte {
	hash, _ := b.Chain.Blockhash(0)
	tx, err := solana.NewTransaction(instructions, hash, solana.TransactionPayer(build.PublicKey(b.Sponsor)))
	kit.BadIf(err != nil, "the instructions make no transaction: %v", err)
	tx.Message.SetVersion(solana.MessageVersionV0)
	return kit.Must(b.Encode(tx, []ed25519.PrivateKey{b.Sponsor, w.signer}))
}

// rehearse simulates the transaction and returns what it would take from the
// account.
func (b *Service) rehearse(w *wallet, raw []byte) outflow {
	simulation, err := b.Chain.Simulate(raw, true, false)
	kit.BadIf(err != nil, "the transaction cannot land: %v", err)
	if simulation.Err != nil {
		code := ""
		if poor(simulation.Err) {
			code = insufficientBalance
		}
		panic(kit.Refuse(http.StatusBadRequest, code, "the transaction would fail: %v", simulation.Err).
			With(map[string]any{"logs": simulation.Logs}))
	}
	kit.BadIf(simulation.Fee > maxFee, "a fee of %d lamports is more than is paid for an account",
		simulation.Fee)
	return b.outflow(w, simulation)
}

// mostTransactions is how many transactions of an account the service remembers,
// the newest.
const mostTransactions = 2048

// land executes a transaction that was rehearsed and books it.
func (b *Service) land(w *wallet, raw []byte, instructions []instruction) *transaction {
	receipt, err := b.Submit(raw)
	if err == nil && receipt.Err != nil {
		err = receipt.Err
	}
	kit.RefuseIf(err != nil, http.StatusInternalServerError, "", "the ledger refused the transaction: %v", err)
	t := &transaction{id: b.id("tx"), receipt: receipt, instructions: instructions}
	w.transactions = kit.Newest(append(w.transactions, t), mostTransactions)
	return t
}

type instruction struct {
	ProgramID string `body:"programId,required" form:"key" json:"programId"`
	Accounts  []meta `body:"accounts,required" empty:"ok" json:"accounts"`
	Data      string `body:"data,required" form:"base64" empty:"ok" json:"data"` // base64
}

type meta struct {
	Pubkey     string `body:"pubkey,required" form:"key" json:"pubkey"`
	IsSigner   bool   `body:"isSigner,required" json:"isSigner"`
	IsWritable bool   `body:"isWritable,required" json:"isWritable"`
}

// instructions reads what the request asks for. Only the account can sign.
func (b *Service) instructions(c *kit.Call, w *wallet, wanted []instruction) []solana.Instruction {
	var read []solana.Instruction
	for _, x := range wanted {
		program := c.Key(x.ProgramID, "programId")
		data, err := base64.StdEncoding.DecodeString(x.Data)
		kit.BadIf(err != nil, "data is not base64")
		var accounts solana.AccountMetaSlice
		for _, m := range x.Accounts {
			key := c.Key(m.Pubkey, "pubkey")
			kit.BadIf(m.IsSigner && key != w.key || key == build.PublicKey(b.Sponsor), "%s cannot sign for the account", key)
			accounts = append(accounts, solana.NewAccountMeta(key, m.IsWritable, m.IsSigner))
		}
		read = append(read, solana.NewInstruction(program, accounts, data))
	}
	return read
}

// Listed writes instructions as the service does.
func Listed(instructions []solana.Instruction) []instruction {
	write := func(m *solana.AccountMeta) meta { return meta{m.PublicKey.String(), m.IsSigner, m.IsWritable} }
	return kit.List(instructions, func(in solana.Instruction) instruction {
		data := base64.StdEncoding.EncodeToString(kit.Must(in.Data()))
		return instruction{in.ProgramID().String(), kit.List(in.Accounts(), write), data}
	})
}
