package predictmeta

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/internal/snapshot"
)

// name is a category or a sport.
type name struct{ id, name string }

// series is a question that is asked again and again, of several
// outcomes that are a market each.
type series struct {
	Ticker, title, category string
	question                string // with a place for the outcome and one for the round
	outcomes                []string
	events                  int
}

// catalog returns the categories, the sports and the series.
func catalog() (categories, sports []name, all []*series) {
	categories = []name{
		{"crypto", "Crypto"}, {"economics", "Economics"}, {"politics", "Politics"},
		{"sports", "Sports"}, {"climate", "Climate & Weather"}, {"culture", "Culture"},
	}
	sports = []name{
		{"basketball", "Basketball"}, {"football", "Football"}, {"tennis", "Tennis"}, {"ice_hockey", "Ice hockey"},
	}
	add := func(ticker, title, category, question string, outcomes ...string) {
		all = append(all, &series{Ticker: ticker, title: title, category: category, question: question, outcomes: outcomes})
	}
	add("BTC", "Bitcoin price", "crypto", "Will Bitcoin trade above %s at the end of round %d?",
		"$80,000", "$100,000", "$120,000")
	add("SOL", "Solana price", "crypto", "Will Solana trade above %s at the end of round %d?", "$100", "$150",
		"$200", "$300")
	add("RATE", "Central bank rate", "economics", "Will the central bank %s at meeting %d?", "cut", "hold", "raise")
	add("CPI", "Inflation", "economics", "Will inflation be above %s in report %d?", "2 %", "2.5 %", "3 %")
	add("VOTE", "Confidence vote", "politics", "Will the vote %s in session %d?", "pass", "be postponed")
	add("SEAT", "By-election", "politics", "Will the %s win seat %d?", "Greens", "Liberals", "Labour party")
	add("HOOPS", "Basketball finals", "sports", "Will the %s win game %d?", "Harbours", "Foxes")
	add("NET", "Tennis open", "sports", "Will %s win match %d?", "the favourite", "the challenger")
	add("RAIN", "Rainfall", "climate", "Will it rain more than %s in month %d?", "40 mm", "80 mm", "120 mm")
	add("FILM", "Film awards", "culture", "Will a %s be film of the year, edition %d?", "comedy", "drama", "documentary")
	return categories, sports, all
}

// rounds are when a series' events close, from the sandbox's start
// on: one is finalized, one determined, one just closed, and of the open ones
// one closes within a working day, one after more than 36 hours, one far off.
var rounds = []time.Duration{
	-5 * 24 * time.Hour, -3 * time.Hour, -20 * time.Minute,
	6 * time.Hour, 40 * time.Hour, 30 * 24 * time.Hour,
}

const (
	// life is how long an event runs, in seconds.
	life = 45 * day
	// lateOpening is how long after the sandbox's start the last
	// market of each series opens for trading.
	lateOpening = 3600
)

// paces are the seconds between a market's trades: one market in
// ten is lively, half of them are quiet.
var paces = []int64{5, 60, 120, 20, 120, 60, 120, 20, 120, 120}

// openMarkets makes everything that there is to trade.
func (p *Service) openMarkets() {
	p.categories, p.sports, p.series = catalog()
	p.authority = build.PublicKey(p.Keypair("mint authority"))
	start := p.second()
	for round, closes := range rounds {
		at := start + int64(closes/time.Second)
		p.openRound(at, at-life)
		if round == len(rounds)-1 {
			for _, e := range p.events[len(p.events)-len(p.series):] {
				e.markets[len(e.markets)-1].Opens = start + lateOpening
			}
		}
		if closes > 0 {
			p.succeed(at)
		}
	}
}

// openRound makes an event of each series, whose markets trade from one second to
// another.
func (p *Service) openRound(closes, opens int64) {
	p.rounds++
	for _, s := range p.series {
		e := &event{
			Ticker: fmt.Sprintf("%s-R%d", s.Ticker, p.rounds), title: fmt.Sprintf("%s, round %d", s.title, p.rounds),
			Series: s, closes: closes,
		}
		s.events++
		p.events = append(p.events, e)
		for i, outcome := range s.outcomes {
			p.openMarket(e, opens, fmt.Sprintf("%s-M%d", e.Ticker, i+1), fmt.Sprintf(s.question, outcome, p.rounds))
		}
	}
}

// later is how long a round runs that begins as another closes.
const later = 3 * day

// succeed opens a new round when one closes, and so on for ever, and lets go of
// those that closed long ago.
func (p *Service) succeed(closes int64) {
	p.At(time.Unix(closes, 0).UTC(), closing{p, closes})
}

// closing is when a round closes.
type closing struct {
	p  *Service
	at int64
}

var _ = snapshot.Keep(closing{}, (*Market)(nil))

// Happen opens the next round.
func (x closing) Happen() {
	x.p.forgetBefore(x.at - kept)
	x.p.openRound(x.at+later, x.at)
	x.p.succeed(x.at + later)
}

func (p *Service) openMarket(e *event, opens int64, ticker, title string) {
	m := &Market{
		Event: e, ticker: ticker, title: title, created: opens, Opens: opens,
		pace: paces[p.opened%len(paces)],
	}
	p.opened++
	digest := p.digest("market", ticker)
	m.seed = binary.LittleEndian.Uint64(digest[:])
	m.base = 20_000 + int64(m.draw(drawBase, 0)%60_001)
	m.Yes, m.No, m.Ledger = p.openMint(m, "yes"), p.openMint(m, "no"), p.openMint(m, "")
	e.markets = append(e.markets, m)
	p.Markets = append(p.Markets, m)
	p.byTicker[ticker] = m
}

// openMint makes a mint, on the ledger too. It is not among the tokens that the
// sandbox lists, which others trade against each other.
func (p *Service) openMint(m *Market, outcome string) string {
	key := solana.PublicKey(p.digest("mint "+outcome, m.ticker))
	p.Chain.PutMint(key, ledger.NewMint{Decimals: 6, Authority: p.authority})
	address := key.String()
	p.ByMint[address] = mint{market: m, outcome: outcome, Key: key}
	return address
}

// digest is a number of the seed's own for a name.
func (p *Service) digest(kind, name string) [32]byte {
	return sha256.Sum256(binary.LittleEndian.AppendUint64([]byte("sandbox predictmeta "+kind+" "+name+" "), p.Config.Seed))
}

// kept is for how many seconds an event can be asked for after its close. The
// service documents no end. It is longer than an event runs, so that whatever
// began while another traded finds that other whole.
const kept = 60 * day

// forgetBefore lets go of the events that closed before a second, with their
// markets and mints. An event stays as long as anybody has a token account of one
// of its mints or a subscription to one of its markets.
func (p *Service) forgetBefore(second int64) {
	if !slices.ContainsFunc(p.events, func(e *event) bool { return e.closes < second }) {
		return
	}
	used := p.used()
	p.events = slices.DeleteFunc(p.events, func(e *event) bool {
		if e.closes >= second || slices.ContainsFunc(e.markets, func(m *Market) bool { return used[m] }) {
			return false
		}
		e.Series.events--
		for _, m := range e.markets {
			p.forgetMarket(m)
		}
		return true
	})
	p.Markets = slices.DeleteFunc(p.Markets, func(m *Market) bool { return p.byTicker[m.ticker] != m })
}

// used are the markets that somebody holds on to.
func (p *Service) used() map[*Market]bool {
	used := map[*Market]bool{}
	for _, a := range p.Ledger.Each {
		if t, ok := ledger.AsToken(a); ok {
			if m, ok := p.ByMint[t.Mint().String()]; ok {
				used[m.market] = true
			}
		}
	}
	for _, topics := range p.wanted {
		for _, t := range topics {
			used[t.market] = true
		}
	}
	return used
}

func (p *Service) forgetMarket(m *Market) {
	delete(p.byTicker, m.ticker)
	for _, address := range []string{m.Yes, m.No, m.Ledger} {
		p.Ledger.Remove(p.ByMint[address].Key)
		delete(p.ByMint, address)
	}
}
