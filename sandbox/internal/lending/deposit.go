package lending

import (
	"net/http"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

type depositRequest struct {
	PriorityFee     *kit.Number `query:"priorityFee"` // micro-lamports a unit
	Owner           string      `body:"owner,required" form:"key"`
	MintAddress     string      `body:"mintAddress,required" form:"key"`
	DepositType     string      `body:"depositType,required" oneof:"protected boosted regular"`
	Amount          uint64      `body:"amount,required"`
	ProtectedAmount *uint64     `body:"protectedAmount"`
	RegularAmount   *uint64     `body:"regularAmount"`
}

// defaultFee is the priority fee of a deposit whose request names no fee.
const defaultFee = 50_000

// units is the compute limit of the service's transactions.
const units = 200_000

// part is the share of a deposit that goes to one type.
type part struct {
	depositType string
	amount      uint64
}

func (l *Service) deposit(c *kit.Call, in depositRequest) any {
	owner := c.Key(in.Owner, "owner")
	p := l.pool(in.MintAddress)
	parts := in.parts()
	kit.RefuseIf(in.Amount > p.available(), http.StatusBadRequest, capacityExceeded,
		"the pool takes %d more", p.available())
	held := l.wealth(owner, p.Token)
	kit.RefuseIf(held < in.Amount, http.StatusBadRequest, insufficientBalance, "the wallet holds %d", held)
	tx := l.buildDeposit(owner, p, parts, in.Amount, uint64(kit.Or(in.PriorityFee, defaultFee)))
	return map[string]any{
		"transaction": tx.Base64(), "lastValidBlockHeight": tx.LastValidBlockHeight, "blockhash": tx.Blockhash,
	}
}

// parts splits the deposit: what neither part names goes to the deposit's own type.
func (in depositRequest) parts() []part {
	kit.BadIf(in.Amount == 0, "amount must be positive")
	protected, regular := kit.Or(in.ProtectedAmount, 0), kit.Or(in.RegularAmount, 0)
	kit.BadIf(protected > in.Amount || regular > in.Amount-protected,
		"protectedAmount and regularAmount together are more than amount")
	rest := in.Amount - protected - regular
	return []part{{"protected", protected}, {"regular", regular}, {in.DepositType, rest}}
}

// wealth is the most that a wallet can deposit: for SOL, its lamports.
func (l *Service) wealth(owner solana.PublicKey, t build.Token) uint64 {
	if t.Key == solana.WrappedSol {
		return l.Chain.Balance(owner)
	}
	return l.Holding(owner, t)
}

func (l *Service) buildDeposit(owner solana.PublicKey, p *pool, parts []part, amount, fee uint64) build.Built {
	effect := build.Effect{
		Owner: owner,
		Moves: []build.Move{{From: owner, To: l.Vault(play.Lending), Token: p.Token, Amount: amount}},
		Work:  depositing{l, owner.String(), p, parts, amount},
	}
	in := l.Instruct(play.Lending, effect)
	instructions := []solana.Instruction{in}
	if p.Key == solana.WrappedSol {
		instructions = append(append(l.WrapSOL(owner, amount), in), l.UnwrapSOL(owner))
	}
	return l.Build(play.Lending, build.Unsigned{
		Owner: owner, UnitLimit: units, UnitPrice: fee, Instructions: instructions,
		Tables: []solana.PublicKey{l.table()},
	})
}

// depositing puts an amount into a pool.
type depositing struct {
	l      *Service
	owner  string
	p      *pool
	parts  []part
	amount uint64
}

// Check implements build.Checker.
func (x depositing) Check() { ledger.FailIf(x.amount > x.p.available(), ledger.Custom(6001)) }

// Done implements build.Doer.
func (x depositing) Done(r *ledger.Receipt) { x.l.deposited(x.owner, x.p, x.parts, r) }

// table is the lookup table of the service.
func (l *Service) table() solana.PublicKey {
	return l.VaultTable("lending", play.Lending, kit.List(l.pools, func(p *pool) build.Token { return p.Token }))
}

// deposited books a deposit that was executed.
func (l *Service) deposited(owner string, p *pool, parts []part, r *ledger.Receipt) {
	w := l.wallet(owner)
	for _, part := range parts {
		if part.amount == 0 {
			continue
		}
		position := w.position(p, part.depositType)
		position.accrue(r.Time)
		position.balance += part.amount
		*p.of(part.depositType) += part.amount
		w.record(map[string]any{
			"type": "deposit", "timestamp": r.Time.Unix(), "mint": p.Mint, "amount": part.amount,
			"depositType": part.depositType, "signature": r.Signature.String(),
		})
		l.emit("deposit.completed", map[string]any{
			"walletAddress": owner, "mint": p.Mint, "amount": part.amount,
			"depositType": part.depositType, "signature": r.Signature.String(),
		})
	}
}
