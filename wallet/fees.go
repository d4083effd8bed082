package wallet

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/internal/observing"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet/internal/admit"
	"github.com/walletfi/walletfi-go/wallet/internal/fees"
)

// FeeAsked returns the price, in micro-lamports per compute unit, that Config.Fees asks the
// present Build of an order for. It is for orders that are not of OrderOf, and not ok if the
// wallet has no policy.
func FeeAsked(ctx context.Context) (price uint64, ok bool) {
	asked, ok := fees.From(ctx)
	return asked.Price, ok
}

// LimitsAsked returns the compute limit, in units, that the present Build of an order should set in
// each of its transactions: what those of the same request used, by Step.Effects or by
// Config.FeeSimulator, and a fifth more; 0 for one of which nothing is known. It is empty without
// Config.Fees, and if nothing is known of any. It is for orders that are not of OrderOf, since no
// service takes a limit; those that are a walletfi.Asker are remembered.
func LimitsAsked(ctx context.Context) []uint64 { return fees.LimitsFrom(ctx) }

// TipAsked returns the tip, in lamports, that Config.Tips asks the present Build of an order for, as
// FeeAsked does for the price.
func TipAsked(ctx context.Context) (lamports walletfi.Amount, ok bool) { return fees.TipFrom(ctx) }

// market is the fee market, as a wallet with a policy sees it.
type market struct {
	policy   walletfi.FeePolicy
	reader   walletfi.FeeReader
	resolver signing.Resolver  // nil knows no table
	measures signing.Simulator // of the units of a route that is not known; nil asks none
	routes   fees.Routes
	own      fees.Own
	clock    walletfi.Clock
}

// newMarket returns nil if there is no policy.
func newMarket(cfg Config, resolver signing.Resolver) (*market, error) {
	if err := cfg.Fees.Validate(); err != nil || cfg.Fees.IsZero() {
		return nil, err
	}
	reader := find[walletfi.FeeReader](cfg.FeeReader, cfg.Confirmer, cfg.Heights, cfg.Submitter)
	if reader == nil {
		return nil, &walletfi.ValidationError{
			Field: "feeReader", Problem: "is required with fees, as no node tells the recent ones",
		}
	}
	return &market{
		policy: cfg.Fees, reader: reader, resolver: resolver, measures: cfg.FeeSimulator, clock: cfg.Clock,
	}, nil
}

// newTips returns nil if there is no policy.
func newTips(cfg Config) (*fees.Tips, error) {
	if err := cfg.Tips.Validate(); err != nil || cfg.Tips.IsZero() {
		return nil, err
	}
	t := &fees.Tips{
		Policy: cfg.Tips, Reader: find[walletfi.TipReader](cfg.TipReader, cfg.Bundles, cfg.Submitter), Clock: cfg.Clock,
	}
	if t.Reader == nil && cfg.Tips.Floor == 0 {
		return nil, &walletfi.ValidationError{
			Field: "tipReader", Problem: "is required with tips that have no floor, as nothing tells the recent ones",
		}
	}
	return t, nil
}

// recent reads the prices of accounts, and those of all transactions.
func (m *market) recent(ctx context.Context, writable []string) (r fees.Recent, err error) {
	if r.Written, err = m.read(ctx, writable); err != nil {
		return r, err
	}
	if r.All = r.Written; len(writable) > 0 {
		r.All, err = m.read(ctx, nil)
	}
	r.Others = m.own.Others(r.All)
	return r, err
}

func (m *market) read(ctx context.Context, writable []string) ([]uint64, error) {
	recent, err := admit.Patiently(ctx, m.clock, func() (walletfi.RecentFees, error) {
		once, cancel := context.WithTimeout(ctx, fees.Timeout)
		defer cancel()
		return m.reader.RecentFees(once, writable)
	})
	if err == nil && len(recent.Prices) == 0 {
		err = fmt.Errorf("the fee reader tells no price: %w", walletfi.ErrDecode)
	}
	if err != nil {
		return nil, fmt.Errorf("the recent fees are not known: %w", err)
	}
	return recent.Prices, nil
}

// route reads what was built.
func (m *market) route(ctx context.Context, txs []*signing.Transaction, owner string) fees.Route {
	resolve := func(table signing.PublicKey) (signing.LookupTable, error) {
		if m.resolver == nil {
			return signing.LookupTable{}, signing.ErrUnknown
		}
		return m.resolver.LookupTable(ctx, table)
	}
	return fees.Route{Costs: fees.CostsOf(txs, owner), Writable: fees.Writable(txs, resolve)}
}

// bid says what the key of an entry may pay by now. Only what has provably expired makes it more.
func (m *market) bid(e Entry) fees.Bid {
	b := fees.Bid{Policy: m.policy, Paid: uint64(feesOf(e))}
	for _, s := range e.Steps {
		if s.State == KeyExpired {
			b.Last = max(b.Last, s.Price)
		}
	}
	return b
}

// capped has the guard refuse what the policy does not allow.
func (m *market) capped(u walletfi.Unsigned) walletfi.Unsigned {
	if m == nil {
		return u
	}
	most := fees.Most(m.policy, u)
	u.Intent = u.Intent.Clone()
	if own := u.Intent.MaxNetworkFeeLamports; own == nil || *own > most {
		u.Intent.MaxNetworkFeeLamports = &most
	}
	return u
}

// affordable holds a set against the caps before it is signed, from a step on. A wallet with other caps may
// have signed those before.
func (e *execution) affordable(u walletfi.Unsigned, first int) error {
	m := e.w.market
	if m == nil {
		return nil
	}
	txs, err := signing.DecodeAll(u)
	if err != nil {
		return nil // the guard says what is wrong
	}
	paid := Entry{FeesPaid: e.entry.FeesPaid, Steps: e.entry.Steps[:first]}
	return m.bid(paid).Check(fees.CostsOf(txs[first:], u.Intent.Owner))
}

// Bounds of the wait for a market that is above the caps.
const (
	marketLook  = 2 * time.Second
	leastToLand = 15 * time.Second // that must be left of the caller's time
)

// inTurn builds the order when its turn has come. While the market is above the caps, another
// one has the turn.
func (p *placing) inTurn(ctx context.Context) (u walletfi.Unsigned, leave func(), err error) {
	for {
		if leave, err = p.admit(ctx); err != nil {
			return u, func() {}, err
		}
		u, err = p.tipped(ctx)
		if !errors.Is(err, walletfi.ErrFeeMarket) {
			return u, leave, err
		}
		leave()
		if !p.outlast(ctx) {
			return u, func() {}, err
		}
	}
}

// outlast waits until the market for the order's accounts has come down to the caps. It is false
// if the caller waits for no set time, or not long enough.
func (p *placing) outlast(ctx context.Context) bool {
	if _, ok := ctx.Deadline(); !ok || p.w.clock != nil {
		return false
	}
	for !clock.Ends(ctx, p.w.clock, marketLook+leastToLand) && clock.Wait(ctx, p.w.clock, marketLook) == nil {
		if p.w.market == nil {
			return true // the tips are asked for again
		}
		recent, err := p.w.market.recent(ctx, p.route.Writable)
		if err != nil {
			return false
		}
		if _, err = p.w.market.bid(p.before).Ask(recent, p.route.Costs); err == nil {
			return true
		}
	}
	return false
}

// priced has the service build the order at the market's price.
func (p *placing) priced(ctx context.Context) (walletfi.Unsigned, error) {
	m := p.w.market
	if m == nil {
		return p.build(ctx)
	}
	bid, asked := m.bid(p.before), p.asked()
	route, known := m.routes.Recall(fees.Name(asked))
	if !known || len(asked) == 0 {
		route = fees.Route{} // the first build is a guess, which is not signed above the caps
	}
	recent, err := m.recent(ctx, route.Writable)
	if err != nil {
		return walletfi.Unsigned{}, err
	}
	price, _ := bid.Ask(recent, route.Costs) // what is built tells whether the caps allow it
	limits, costs := fees.LimitsFor(route.Used), route.Costs
	for n := 1; ; n++ {
		ask := fees.AskedOf(price, costs)
		u, err := p.build(fees.WithLimits(fees.With(ctx, ask), limits))
		if err != nil {
			return u, err
		}
		txs, err := signing.DecodeAll(u)
		if err != nil || len(txs) == 0 {
			return u, nil // the guard says what is wrong
		}
		route = m.route(ctx, txs, u.Intent.Owner)
		learns := n == 1 && m.measures != nil && limits.Read && len(limits.Units) != len(txs)
		if learns {
			route.Used = fees.Measure(ctx, m.measures, txs)
			limits = fees.LimitsFor(route.Used)
		}
		if len(asked) > 0 {
			m.routes.Learn(fees.Name(asked), route)
		}
		p.route = route
		m.own.Add(route.Costs)
		if recent, err = m.recent(ctx, route.Writable); err != nil {
			return u, err
		}
		if costs = route.Costs; learns {
			costs = limits.Of(costs) // as they will be
		}
		if price, err = bid.Ask(recent, costs); err != nil {
			return u, err
		}
		if learns && limits.Units != nil {
			continue
		}
		p.landing = LandingFee{
			Attempt: p.placed.Attempts, Price: fees.LeastPrice(route.Costs), Units: fees.Units(route.Costs),
			Most: walletfi.Amount(fees.Lamports(route.Costs)), Market: bid.Market(recent), Builds: n,
		}
		wrong := bid.Check(route.Costs)
		if n > 1 || !ask.TakenBy(route.Costs) || wrong == nil && !ask.FarFrom(fees.AskedOf(price, costs), costs) {
			return u, wrong
		}
	}
}

// tipped has the service build the order with the policy's tip: again, if it is of so many
// transactions that the key's cap allows less for each.
func (p *placing) tipped(ctx context.Context) (walletfi.Unsigned, error) {
	if p.w.tips == nil {
		return p.priced(ctx)
	}
	last := uint64(0)
	for _, s := range p.before.Steps {
		if s.State == KeyExpired {
			last = max(last, uint64(s.Tip))
		}
	}
	tip, err := p.w.tips.Ask(ctx, last, 1)
	if err != nil {
		return walletfi.Unsigned{}, err
	}
	u, err := p.priced(fees.WithTip(ctx, walletfi.Amount(tip)))
	if n := len(u.Transactions); err == nil && n > 1 {
		less, askErr := p.w.tips.Ask(ctx, last, n)
		if err = askErr; err == nil && less < tip {
			u, err = p.priced(fees.WithTip(ctx, walletfi.Amount(less)))
		}
	}
	if p.landing.Builds == 0 && err == nil {
		p.landing = LandingFee{Attempt: p.placed.Attempts, Builds: 1}
	}
	return u, err
}

// tellUsed remembers the compute units that the executed transactions used, if all say so.
func (p *placing) tellUsed() {
	asked, steps := p.asked(), p.placed.Result.Steps
	if len(asked) == 0 || len(steps) != len(p.route.Costs) {
		return
	}
	route := p.route
	route.Used = make([]uint64, len(steps))
	for i, s := range steps {
		if s.State != StateConfirmed || s.Effects == nil || s.Effects.Units == 0 {
			return
		}
		route.Used[i] = s.Effects.Units
	}
	p.w.market.routes.Learn(fees.Name(asked), route)
}

// tellLanding adds what the attempt paid to the result, and tells the observer.
func (p *placing) tellLanding(ctx context.Context, begun time.Time, err error) {
	l := p.landing
	if l.Builds == 0 {
		return
	}
	l.State = stateOf(err)
	p.tellTips(&l)
	for i, s := range p.placed.Result.Steps {
		if i < len(p.route.Costs) && (s.State == StateConfirmed || s.State == StateFailed) {
			l.Paid += walletfi.Amount(p.route.Costs[i].Lamports())
		}
	}
	if p.w.market != nil {
		p.tellUsed()
	}
	p.placed.Landing, p.landing = append(p.placed.Landing, l), LandingFee{}
	observing.Tell(ctx, p.w.observer, observe.Landing{
		Service: p.placed.Intent.Service, Owner: p.placed.Intent.Owner, Attempt: l.Attempt, State: string(l.State),
		Price: l.Price, Market: l.Market, Lamports: uint64(l.Paid), Took: clock.Since(p.w.clock, begun),
	})
}

// explain says of a transaction that has expired that the market asked for more than it paid.
func (e *execution) explain(ctx context.Context, u walletfi.Unsigned, err error) error {
	m := e.w.market
	stopped, ok := errors.AsType[*StepError](err)
	if m == nil || !ok || stopped.State != StateExpired {
		return err
	}
	txs, decodeErr := signing.DecodeAll(u)
	if decodeErr != nil || stopped.Index >= len(txs) {
		return err
	}
	route := m.route(ctx, txs[stopped.Index:stopped.Index+1], u.Intent.Owner)
	ctx, cancel := context.WithTimeout(ctx, fees.Timeout)
	defer cancel()
	recent, readErr := m.recent(ctx, route.Writable)
	paid, asked := route.Costs[0].Price, fees.Bid{Policy: m.policy}.Market(recent)
	if readErr != nil || paid >= asked {
		return err
	}
	stopped.Cause = fmt.Errorf("%w; fee below the market: paid %d, the p%d of its accounts is %d micro-lamports per "+
		"compute unit", stopped.Cause, paid, m.policy.Percentile, asked)
	e.result.Steps[stopped.Index].Err = stopped.Cause
	return err
}

// feesOf says what the key of an entry has cost for landing by now, or may cost yet.
func feesOf(e Entry) walletfi.Amount {
	paid := e.FeesPaid
	for _, s := range e.Steps {
		if s.State == KeyConfirmed || s.State == KeyFailed || s.State.mayExecute() {
			paid = plus(paid, s.Fee)
		}
	}
	return min(paid, math.MaxInt64)
}

// tellTips adds what the attempt tipped.
func (p *placing) tellTips(l *LandingFee) {
	r := p.placed.Result.Report
	if p.w.tips == nil || r == nil {
		return
	}
	for i := range r.Transactions {
		tip := fees.TipOf(r, i)
		l.Tip += tip
		if i < len(p.placed.Result.Steps) && p.placed.Result.Steps[i].State == StateConfirmed {
			l.Paid += tip
		}
	}
}
