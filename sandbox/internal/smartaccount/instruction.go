package smartaccount

import (
	"crypto/ed25519"
	"encoding/base64"
	"net/http"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// maxFee is the most that the sponsor pays for a transaction.
const maxFee = 10_000_000

type instruction struct {
	ProgramID string `body:"programId,required" json:"programId"`
	Accounts  []meta `body:"accounts,required" json:"accounts"`
	Data      string `body:"data,required" json:"data"` // base64
}

type meta struct {
	Pubkey     string `body:"pubkey,required" json:"pubkey"`
	IsSigner   bool   `body:"isSigner,required" json:"isSigner"`
	IsWritable bool   `body:"isWritable,required" json:"isWritable"`
}

type executeRequest struct {
	Account      string        `path:"accountId"`
	Instructions []instruction `body:"instructions,required"`
	Signature    *string       `body:"sessionKeySignature"` // base64
}

type executeAnswer struct {
	ID        string `json:"id"`
	Signature string `json:"signature"`
	Status    string `json:"status"`
	Slot      uint64 `json:"slot"`
}

// execute carries out instructions on the ledger in the account's name. What
// would fail there is refused and never lands.
func (b *Service) execute(c *kit.Call, in executeRequest) (*executeAnswer, error) {
	w, err := b.wallet(c, in.Account)
	if err != nil {
		return nil, err
	}
	instructions, err := b.instructions(c, w, in.Instructions)
	if err != nil {
		return nil, err
	}
	var session *session
	if in.Signature != nil {
		if session, err = b.signedBy(w, *in.Signature, in.Instructions); err != nil {
			return nil, err
		}
	}
	// The service's own instruction makes two transactions differ that would
	// do the same in the same slot.
	raw, err := b.compose(w, append(instructions, b.Instruct(kit.SmartAccount, build.Effect{Owner: w.key})))
	if err != nil {
		return nil, err
	}
	out, err := b.rehearse(w, raw)
	if err != nil {
		return nil, err
	}
	if session != nil {
		if err := session.permit(instructions, out, b.Now()); err != nil {
			return nil, err
		}
	}
	if err := w.checkPolicies(out, b.Now()); err != nil {
		return nil, err
	}
	t, err := b.land(w, raw, in.Instructions)
	if err != nil {
		return nil, err
	}
	w.spent = out.book(w.spent, b.Now())
	if session != nil {
		session.spent = out.book(session.spent, b.Now())
	}
	return &executeAnswer{t.id, t.receipt.Signature.String(), "confirmed", t.receipt.Slot}, nil
}

// instructions reads what the request asks for. The account alone can sign.
func (b *Service) instructions(c *kit.Call, w *wallet, wanted []instruction) ([]solana.Instruction, error) {
	if len(wanted) == 0 {
		return nil, kit.Refuse(http.StatusBadRequest, "", "instructions are empty")
	}
	var read []solana.Instruction
	for _, x := range wanted {
		program, err := c.Key(x.ProgramID, "programId")
		if err != nil {
			return nil, err
		}
		data, err := base64.StdEncoding.DecodeString(x.Data)
		if err != nil {
			return nil, kit.Refuse(http.StatusBadRequest, "", "data is not base64")
		}
		var accounts solana.AccountMetaSlice
		for _, m := range x.Accounts {
			key, err := c.Key(m.Pubkey, "pubkey")
			if err != nil {
				return nil, err
			}
			if m.IsSigner && key != w.key || key == build.PublicKey(b.Sponsor) {
				return nil, kit.Refuse(http.StatusBadRequest, "", "%s cannot sign for the account", key)
			}
			accounts = append(accounts, solana.NewAccountMeta(key, m.IsWritable, m.IsSigner))
		}
		read = append(read, solana.NewInstruction(program, accounts, data))
	}
	return read, nil
}

// compose makes the signed transaction. It is no answer to a caller, so that
// an Attack does not see it.
func (b *Service) compose(w *wallet, instructions []solana.Instruction) ([]byte, error) {
	hash, _ := b.Chain.Blockhash(0)
	tx, err := solana.NewTransaction(instructions, hash, solana.TransactionPayer(build.PublicKey(b.Sponsor)))
	if err != nil {
		return nil, kit.Refuse(http.StatusBadRequest, "", "the instructions make no transaction: %v", err)
	}
	tx.Message.SetVersion(solana.MessageVersionV0)
	return b.Encode(tx, []ed25519.PrivateKey{b.Sponsor, w.signer})
}

// rehearse simulates the transaction and says what it would take from the
// account.
func (b *Service) rehearse(w *wallet, raw []byte) (outflow, error) {
	simulation, err := b.Chain.Simulate(raw, true, false)
	if err != nil {
		return outflow{}, kit.Refuse(http.StatusBadRequest, "", "the transaction cannot land: %v", err)
	}
	if simulation.Err != nil {
		code := ""
		if poor(simulation.Err) {
			code = insufficientBalance
		}
		f := kit.Refuse(http.StatusBadRequest, code, "the transaction would fail: %v", simulation.Err).(*kit.Failure)
		f.Details = map[string]any{"logs": simulation.Logs}
		return outflow{}, f
	}
	if simulation.Fee > maxFee {
		return outflow{}, kit.Refuse(http.StatusBadRequest, "", "a fee of %d lamports is more than is paid for an account", simulation.Fee)
	}
	return b.outflow(w, simulation), nil
}

// land executes a transaction that was rehearsed and books it.
func (b *Service) land(w *wallet, raw []byte, instructions []instruction) (*transaction, error) {
	receipt, err := b.Submit(raw)
	if err == nil && receipt.Err != nil {
		err = receipt.Err
	}
	if err != nil {
		return nil, kit.Refuse(http.StatusInternalServerError, "", "the ledger refused the transaction: %v", err)
	}
	t := &transaction{id: b.id("tx"), receipt: receipt, instructions: instructions}
	w.transactions = append(w.transactions, t)
	return t, nil
}

// Listed writes instructions as the service does.
func Listed(instructions []solana.Instruction) ([]instruction, error) {
	listed := []instruction{}
	for _, in := range instructions {
		data, err := in.Data()
		if err != nil {
			return nil, err
		}
		x := instruction{ProgramID: in.ProgramID().String(), Accounts: []meta{}, Data: base64.StdEncoding.EncodeToString(data)}
		for _, m := range in.Accounts() {
			x.Accounts = append(x.Accounts, meta{m.PublicKey.String(), m.IsSigner, m.IsWritable})
		}
		listed = append(listed, x)
	}
	return listed, nil
}
