package corpus

import (
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// shape is one kind of transaction that a service builds.
type shape struct {
	name   string
	scene  *scene
	change string
	rule   string
	spoil  func(*scene)
	only   []Format // nil means all
}

// shapes are all tables of honest cases.
func shapes(k *cast) []shape {
	return slices.Concat(
		k.swaps(), k.swapsThatPay(), k.wraps(), k.payments(), k.lendings(), k.positions(), k.burns(), k.closes(),
		k.approvals(), k.accounts(), k.sponsored(), k.signedByOthers(), k.lifetimes(), k.fees2022(), k.batches(), k.budgets(),
		k.observed(), k.kept(), k.many(), k.arriving(), k.openAgain(), k.withholding(), k.hooks(),
		k.sponsoredRents(), k.proven(), k.strict(), k.sighted(), k.rents(), k.emptyShown(), k.typedPins(),
	)
}

func (h shape) formats() []Format {
	switch {
	case len(h.scene.txs) > 1:
		return []Format{Set}
	case h.only == nil:
		return Formats()
	}
	return h.only
}

// as says in which formats the shape exists at all.
func (h shape) as(formats ...Format) shape {
	h.only = formats
	return h
}

// with changes the honest scene.
func (h shape) with(change func(*scene)) shape {
	change(h.scene)
	return h
}

// honest is a transaction of a service under the intent that its client
// derives: nothing but what the shape asks for.
func (k *cast) honest(service, name string, instructions ...ins) shape {
	only := transaction{Transaction: k.build(instructions...)}
	if service == "leverage" {
		only.encode = base58Of // as that service answers
	}
	return shape{name: service + ": " + name, scene: &scene{
		txs:    []transaction{only},
		intent: walletfi.Intent{Service: service, Owner: text(k.owner)},
		policy: Policy{Pins: map[string][]Key{service: {k.exchange}}, AllowBlind: []string{service}},
	}}
}

// spends, tips, charges, burns, names and pays widen the intent as a request does.
func (h shape) spends(mint Key, amount uint64) shape {
	h.scene.intent.Spend = append(h.scene.intent.Spend, some(mint, amount))
	return h
}

func (h shape) tips(lamports uint64) shape {
	h.scene.intent.TipLamports = walletfi.Amount(lamports)
	return h
}

func (h shape) charges(mint Key, amount uint64) shape {
	h.scene.intent.ServiceFee = append(h.scene.intent.ServiceFee, some(mint, amount))
	return h
}

func (h shape) burns(mint Key, amount uint64) shape {
	h.scene.intent.Burn = append(h.scene.intent.Burn, some(mint, amount))
	return h
}

func (h shape) names(output Key) shape {
	h.scene.intent.OutputTo = append(h.scene.intent.OutputTo, text(output))
	h.scene.intent.MaxForeignRentLamports = accountRent
	return h
}

func (h shape) pays(payee Key) shape {
	h.scene.intent.PayTo = append(h.scene.intent.PayTo, text(payee))
	h.scene.intent.MaxForeignRentLamports = accountRent
	return h
}

// spoiledBy says what makes the shape malicious, and which rule has to see it.
func (h shape) spoiledBy(rule, change string, spoil func(*scene)) shape {
	h.rule, h.change, h.spoil = rule, change, spoil
	return h
}

// instead puts another instruction in the place of one.
func instead(at int, one ins) func(*scene) {
	return func(s *scene) { s.last().Instructions[at] = one }
}

// account points an account of an instruction somewhere else.
func account(at, index int, to Key) func(*scene) {
	return func(s *scene) { s.last().Instructions[at].Accounts[index].Key = to }
}

// without takes an instruction out.
func without(at int) func(*scene) {
	return func(s *scene) { s.last().Instructions = slices.Delete(s.last().Instructions, at, at+1) }
}

// also adds an instruction.
func also(one ins) func(*scene) {
	return func(s *scene) { s.last().Instructions = append(s.last().Instructions, one) }
}

// amount adds to the number at a place in an instruction's data.
func amount(at, offset int) func(*scene) {
	return func(s *scene) {
		data := s.last().Instructions[at].Data
		for i := offset; i < offset+8; i++ {
			if data[i]++; data[i] != 0 {
				return
			}
		}
	}
}

// data changes a byte of an instruction's data.
func data(at, offset int, to uint8) func(*scene) {
	return func(s *scene) { s.last().Instructions[at].Data[offset] = to }
}

// paid is the compute budget that most builders put first.
func paid(units uint32, price uint64, rest ...ins) []ins {
	return append([]ins{txbuild.UnitLimit(units), txbuild.UnitPrice(price)}, rest...)
}

// route loads what the exchange's call needs from a table.
func (k *cast) route(held ...Key) func(*scene) {
	return func(s *scene) {
		s.last().Tables = append(s.last().Tables, txbuild.Table{Address: k.table, Holds: held})
	}
}

// The offset of the amount in a System transfer, and in a token transfer.
const (
	lamportsAt = 4
	tokensAt   = 1
)
