package sandbox

import (
	"net/http"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

type lendingDepositRequest struct {
	PriorityFee     *uint64 `query:"priorityFee"` // micro-lamports a unit
	Owner           string  `body:"owner,required"`
	MintAddress     string  `body:"mintAddress,required"`
	DepositType     string  `body:"depositType,required" oneof:"protected boosted regular"`
	Amount          uint64  `body:"amount,required"`
	ProtectedAmount *uint64 `body:"protectedAmount"`
	RegularAmount   *uint64 `body:"regularAmount"`
}

// lendingDefaultFee is what a deposit pays where the request does not say.
const lendingDefaultFee = 50_000

// lendingUnits is what a transaction of the service may use.
const lendingUnits = 200_000

type lendingDepositAnswer struct {
	Transaction          string `json:"transaction"`
	LastValidBlockHeight uint64 `json:"lastValidBlockHeight"`
	Blockhash            string `json:"blockhash"`
}

// lendingPart is the share of a deposit that goes to one type.
type lendingPart struct {
	depositType string
	amount      uint64
}

func (l *lending) deposit(c *call, in lendingDepositRequest) (*lendingDepositAnswer, error) {
	owner, err := c.key(in.Owner, "owner")
	if err != nil {
		return nil, err
	}
	p, err := l.pool(in.MintAddress)
	if err != nil {
		return nil, err
	}
	parts, err := in.parts()
	if err != nil {
		return nil, err
	}
	if in.Amount > p.available() {
		return nil, refuse(http.StatusBadRequest, lendingCapacityExceeded, "the pool takes %d more", p.available())
	}
	if held := l.wealth(owner, p.Token); held < in.Amount {
		return nil, refuse(http.StatusBadRequest, lendingInsufficientBalance, "the wallet holds %d", held)
	}
	fee := uint64(lendingDefaultFee)
	if in.PriorityFee != nil {
		fee = *in.PriorityFee
	}
	tx, err := l.buildDeposit(owner, p, parts, in.Amount, fee)
	if err != nil {
		return nil, err
	}
	return &lendingDepositAnswer{tx.base64(), tx.LastValidBlockHeight, tx.Blockhash}, nil
}

// parts splits the deposit. What is not split goes whole to its type.
func (in lendingDepositRequest) parts() ([]lendingPart, error) {
	if in.Amount == 0 {
		return nil, refuse(http.StatusBadRequest, "", "amount must be positive")
	}
	if in.ProtectedAmount == nil && in.RegularAmount == nil {
		return []lendingPart{{in.DepositType, in.Amount}}, nil
	}
	var protected, regular uint64
	if in.ProtectedAmount != nil {
		protected = *in.ProtectedAmount
	}
	if in.RegularAmount != nil {
		regular = *in.RegularAmount
	}
	if protected > in.Amount || regular != in.Amount-protected {
		return nil, refuse(http.StatusBadRequest, "", "protectedAmount and regularAmount do not add up to amount")
	}
	return []lendingPart{{"protected", protected}, {"regular", regular}}, nil
}

// wealth is what a wallet can deposit: for SOL its lamports.
func (l *lending) wealth(owner solana.PublicKey, t Token) uint64 {
	if t.key == solana.WrappedSol {
		return l.chain.Balance(owner)
	}
	return l.holding(owner, t)
}

func (l *lending) buildDeposit(owner solana.PublicKey, p *lendingPool, parts []lendingPart, amount, fee uint64) (built, error) {
	effect := effect{
		owner: owner,
		moves: []move{{owner, l.vault(Lending), p.Token, amount}},
		check: func() *ledger.InstructionError {
			if amount > p.available() {
				return ledger.Custom(6001)
			}
			return nil
		},
		done: func(r *ledger.Receipt) { l.deposited(owner.String(), p, parts, r) },
	}
	in := l.instruct(Lending, effect)
	instructions := []solana.Instruction{in}
	if p.key == solana.WrappedSol {
		instructions = append(append(l.wrapSOL(owner, amount), in), l.unwrapSOL(owner))
	}
	return l.build(Lending, unsigned{
		owner: owner, unitLimit: lendingUnits, unitPrice: fee, instructions: instructions,
		tables: []solana.PublicKey{l.table()},
	})
}

// table is the lookup table of the service: its vault's accounts and the mints.
func (l *lending) table() solana.PublicKey {
	vault := l.vault(Lending)
	keys := []solana.PublicKey{vault}
	for _, p := range l.pools {
		keys = append(keys, p.key, p.account(vault))
	}
	return l.lookupTable("lending", keys...)
}

// deposited books a deposit that was executed.
func (l *lending) deposited(owner string, p *lendingPool, parts []lendingPart, r *ledger.Receipt) {
	w := l.wallet(owner)
	for _, part := range parts {
		if part.amount == 0 {
			continue
		}
		position := w.position(p, part.depositType)
		position.accrue(r.Time)
		position.balance += part.amount
		*p.of(part.depositType) += part.amount
		event := map[string]any{
			"type": "deposit", "timestamp": r.Time.Unix(), "mint": p.Mint, "amount": part.amount,
			"depositType": part.depositType, "signature": r.Signature.String(),
		}
		w.events = append(w.events, event)
		l.emit("deposit.completed", map[string]any{
			"walletAddress": owner, "mint": p.Mint, "amount": part.amount,
			"depositType": part.depositType, "signature": r.Signature.String(),
		})
	}
}
