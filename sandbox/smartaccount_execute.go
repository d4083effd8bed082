package sandbox

import (
	"crypto/ed25519"
	"encoding/base64"
	"net/http"

	"github.com/gagliardetto/solana-go"
)

// smartAccountMaxFee is the most that the sponsor pays for a transaction.
const smartAccountMaxFee = 10_000_000

type smartAccountInstruction struct {
	ProgramID string             `body:"programId,required" json:"programId"`
	Accounts  []smartAccountMeta `body:"accounts,required" json:"accounts"`
	Data      string             `body:"data,required" json:"data"` // base64
}

type smartAccountMeta struct {
	Pubkey     string `body:"pubkey,required" json:"pubkey"`
	IsSigner   bool   `body:"isSigner,required" json:"isSigner"`
	IsWritable bool   `body:"isWritable,required" json:"isWritable"`
}

type smartAccountExecuteRequest struct {
	Account      string                    `path:"accountId"`
	Instructions []smartAccountInstruction `body:"instructions,required"`
	Signature    *string                   `body:"sessionKeySignature"` // base64
}

type smartAccountExecuteAnswer struct {
	ID        string `json:"id"`
	Signature string `json:"signature"`
	Status    string `json:"status"`
	Slot      uint64 `json:"slot"`
}

// execute carries out instructions on the ledger in the account's name. What
// would fail there is refused and never lands.
func (b *smartAccount) execute(c *call, in smartAccountExecuteRequest) (*smartAccountExecuteAnswer, error) {
	w, err := b.wallet(c, in.Account)
	if err != nil {
		return nil, err
	}
	instructions, err := b.instructions(c, w, in.Instructions)
	if err != nil {
		return nil, err
	}
	var session *smartAccountSession
	if in.Signature != nil {
		if session, err = b.signedBy(w, *in.Signature, in.Instructions); err != nil {
			return nil, err
		}
	}
	// The service's own instruction makes two transactions differ that would
	// do the same in the same slot.
	raw, err := b.compose(w, append(instructions, b.instruct(SmartAccount, effect{owner: w.key})))
	if err != nil {
		return nil, err
	}
	out, err := b.rehearse(w, raw)
	if err != nil {
		return nil, err
	}
	if session != nil {
		if err := session.permit(instructions, out, b.now()); err != nil {
			return nil, err
		}
	}
	if err := w.checkPolicies(out, b.now()); err != nil {
		return nil, err
	}
	t, err := b.land(w, raw, in.Instructions)
	if err != nil {
		return nil, err
	}
	w.spent = out.book(w.spent, b.now())
	if session != nil {
		session.spent = out.book(session.spent, b.now())
	}
	return &smartAccountExecuteAnswer{t.id, t.receipt.Signature.String(), "confirmed", t.receipt.Slot}, nil
}

// instructions reads what the request asks for. The account alone can sign.
func (b *smartAccount) instructions(c *call, w *smartAccountWallet, wanted []smartAccountInstruction) ([]solana.Instruction, error) {
	if len(wanted) == 0 {
		return nil, refuse(http.StatusBadRequest, "", "instructions are empty")
	}
	var read []solana.Instruction
	for _, x := range wanted {
		program, err := c.key(x.ProgramID, "programId")
		if err != nil {
			return nil, err
		}
		data, err := base64.StdEncoding.DecodeString(x.Data)
		if err != nil {
			return nil, refuse(http.StatusBadRequest, "", "data is not base64")
		}
		var accounts solana.AccountMetaSlice
		for _, m := range x.Accounts {
			key, err := c.key(m.Pubkey, "pubkey")
			if err != nil {
				return nil, err
			}
			if m.IsSigner && key != w.key || key == publicKey(b.sponsor) {
				return nil, refuse(http.StatusBadRequest, "", "%s cannot sign for the account", key)
			}
			accounts = append(accounts, solana.NewAccountMeta(key, m.IsWritable, m.IsSigner))
		}
		read = append(read, solana.NewInstruction(program, accounts, data))
	}
	return read, nil
}

// compose makes the signed transaction. It is no answer to a caller, so that
// an Attack does not see it.
func (b *smartAccount) compose(w *smartAccountWallet, instructions []solana.Instruction) ([]byte, error) {
	hash, _ := b.chain.Blockhash(0)
	tx, err := solana.NewTransaction(instructions, hash, solana.TransactionPayer(publicKey(b.sponsor)))
	if err != nil {
		return nil, refuse(http.StatusBadRequest, "", "the instructions make no transaction: %v", err)
	}
	tx.Message.SetVersion(solana.MessageVersionV0)
	return b.encode(tx, []ed25519.PrivateKey{b.sponsor, w.signer})
}

// rehearse simulates the transaction and says what it would take from the
// account.
func (b *smartAccount) rehearse(w *smartAccountWallet, raw []byte) (smartAccountOutflow, error) {
	simulation, err := b.chain.Simulate(raw, true, false)
	if err != nil {
		return smartAccountOutflow{}, refuse(http.StatusBadRequest, "", "the transaction cannot land: %v", err)
	}
	if simulation.Err != nil {
		code := ""
		if smartAccountPoor(simulation.Err) {
			code = smartAccountInsufficientBalance
		}
		f := refuse(http.StatusBadRequest, code, "the transaction would fail: %v", simulation.Err).(*failure)
		f.Details = map[string]any{"logs": simulation.Logs}
		return smartAccountOutflow{}, f
	}
	if simulation.Fee > smartAccountMaxFee {
		return smartAccountOutflow{}, refuse(http.StatusBadRequest, "", "a fee of %d lamports is more than is paid for an account", simulation.Fee)
	}
	return b.outflow(w, simulation), nil
}

// land executes a transaction that was rehearsed and books it.
func (b *smartAccount) land(w *smartAccountWallet, raw []byte, instructions []smartAccountInstruction) (*smartAccountTransaction, error) {
	receipt, err := b.submit(raw)
	if err == nil && receipt.Err != nil {
		err = receipt.Err
	}
	if err != nil {
		return nil, refuse(http.StatusInternalServerError, "", "the ledger refused the transaction: %v", err)
	}
	t := &smartAccountTransaction{id: b.id("tx"), receipt: receipt, instructions: instructions}
	w.transactions = append(w.transactions, t)
	return t, nil
}

// smartAccountListed writes instructions as the service does.
func smartAccountListed(instructions []solana.Instruction) ([]smartAccountInstruction, error) {
	listed := []smartAccountInstruction{}
	for _, in := range instructions {
		data, err := in.Data()
		if err != nil {
			return nil, err
		}
		x := smartAccountInstruction{ProgramID: in.ProgramID().String(), Accounts: []smartAccountMeta{}, Data: base64.StdEncoding.EncodeToString(data)}
		for _, m := range in.Accounts() {
			x.Accounts = append(x.Accounts, smartAccountMeta{m.PublicKey.String(), m.IsSigner, m.IsWritable})
		}
		listed = append(listed, x)
	}
	return listed, nil
}
