package signer_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/grant"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

var (
	maker  = signingtest.Key("maker")
	makers = maker.PublicKey()
)

// quoter is a source of prices.
type quoter struct {
	name   string
	prices []signer.Price
	err    error
	asked  int
}

func (q *quoter) Source() string { return q.name }

func (q *quoter) Prices(_ context.Context, unit string, mints []string) ([]signer.Price, error) {
	q.asked++
	if unit != "USD" || len(mints) != 2 || !slices.Contains(mints, mint.String()) {
		return nil, errors.New("no such prices")
	}
	return slices.Clone(q.prices), q.err
}

// tradesText is a policy under which SOL and a token may be traded, at a loss of two percent.
func tradesText(more ...string) string {
	text := strings.Replace(policyText(), "[[owner.exposure]]", fmt.Sprintf(`[[owner.ceiling]]
mint = %q
transaction = 1000
window = [{length = "1h", most = 3000}]
[owner.trades]
within = 200
turnover = [{length = "1h", most = 5_000_000_000}]
loss = [{length = "1h", most = 20_000_000}, {length = "3h", most = 30_000_000}]
[[owner.exposure]]`, mint), 1)
	text = strings.Replace(text, "[[payee]]", fmt.Sprintf("[[payee]]\nname = \"maker\"\naddress = %q\n[[payee]]", makers), 1)
	text = strings.Replace(text, "admins = [0]", fmt.Sprintf("admins = [0]\nco_signers = [%q]", makers), 1)
	return text + fmt.Sprintf(`
[prices]
unit = "USD"
sources = ["one", "two"]
age = "1m"
agree = 100
mint = [{mint = "SOL", decimals = 9}, {mint = %q, decimals = 6}]
`, mint) + strings.Join(more, "\n")
}

// market is a rig with prices: SOL at 200 USD, the token at 1 USD.
type market struct {
	*rig
	one, two *quoter
}

func newMarket(t testing.TB, nodes int, text string, change ...func(*signer.Config)) *market {
	m := &market{one: &quoter{name: "one"}, two: &quoter{name: "two"}}
	policy, err := signer.ParsePolicy([]byte(text))
	require.NoError(t, err)
	m.rig = newRig(t, nodes, append(change, func(c *signer.Config) {
		c.Policy, c.Prices = policy, []signer.Prices{m.two, m.one}
	})...)
	m.accounts[ata(owner)] = tokens(owner, mint, 0)
	m.accounts[ata(makers)] = tokens(makers, mint, 1<<60)
	m.accounts[owner] = signing.AccountState{Lamports: 1 << 60}
	m.price("200", "1")
	return m
}

// price has both sources say the same, as of now, and be asked again.
func (m *market) price(sol, token string) {
	for _, q := range []*quoter{m.one, m.two} {
		q.prices, q.err = nil, nil
		for name, value := range map[string]string{walletfi.NativeMint: sol, mint.String(): token} {
			q.prices = append(q.prices, signer.Price{Mint: name, Value: walletfi.MustDecimal(value), At: m.clock.Now()})
		}
	}
}

func ata(who signing.PublicKey) signing.PublicKey {
	return signing.AssociatedTokenAddress(who, mint, signing.TokenProgram)
}

// moves is a TransferChecked of an authority's.
func moves(from signing.PublicKey, to signing.PublicKey, amount uint64) signingtest.Instruction {
	ins := tokenTransfer(ata(from), to, amount)
	ins.Accounts[3].Key = from
	return ins
}

// trade is a request to give lamports to the maker for tokens, at the least.
func (m *market) trade(lamports, least uint64, more ...signingtest.Instruction) signing.SetRequest {
	return m.exchange(walletfi.Asset{Mint: walletfi.NativeMint, Amount: walletfi.Amount(lamports)}, mint.String(),
		append([]signingtest.Instruction{
			signingtest.Transfer(owner, makers, walletfi.Amount(lamports)), moves(makers, ata(owner), least),
		}, more...)...)
}

func (m *market) exchange(sold walletfi.Asset, bought string, all ...signingtest.Instruction) signing.SetRequest {
	q := m.pay(makers, 1)
	q.Unsigned.Intent.CoSigners = []string{makers.String()}
	q.Unsigned.Intent.Spend = []walletfi.Asset{sold}
	q.Unsigned.Intent.Receive = []walletfi.Asset{{Mint: bought, Amount: 1}}
	tx := signingtest.Transaction{FeePayer: owner, Blockhash: m.blockhash(), Instructions: all}
	q.Unsigned.Transactions[0] = tx.Unsigned(m.t)
	return q
}

// kinds are the debits of a message by their mints.
func kinds(m *signer.Message) map[string]int64 {
	all := map[string]int64{}
	for _, d := range m.Debits {
		all[d.Mint.String()] += d.Amount
	}
	return all
}

func TestATradeIsTurnoverAndLoss(t *testing.T) {
	m := newMarket(t, 2, tradesText())
	const fee = 2 * baseFee // of two signatures
	got := m.judged(m.trade(sol/2, 99_000_001))
	assert.Equal(t, signer.GradeBytes, got.Grade)
	assert.Equal(t, map[string]int64{
		"SOL": fee, "traded:" + walletfi.NativeMint: sol / 2, "turnover": 100_000_000, "loss": 999_999,
	}, kinds(got))
	require.NotNil(t, got.Trade)
	assert.Len(t, got.Trade.Prices, 4)
	got = m.judged(m.trade(sol/2, 110_000_000)) // a gain is no loss below zero
	assert.Zero(t, kinds(got)["loss"])
	got = m.judged(m.trade(1, 1)) // what is rounded is rounded up
	assert.Equal(t, int64(1), kinds(got)["turnover"])
	plain := map[string]int64{"SOL": sol/2 + fee}
	assert.Equal(t, plain, kinds(m.judged(m.trade(sol/2, 97_999_999))), "it may lose more than two percent")
	assert.NotNil(t, m.judged(m.trade(sol/2, 98_000_000)).Trade)

	other := m.trade(sol/2, 99_000_000)
	other.Unsigned.Intent.Receive = nil
	assert.Equal(t, plain, kinds(m.judged(other)), "nobody asked for it")
	both := m.trade(sol/2, 99_000_000, signingtest.Transfer(makers, owner, 5))
	assert.Equal(t, plain, kinds(m.judged(both)), "two mints come in")
	elsewhere := m.exchange(walletfi.Asset{Mint: walletfi.NativeMint, Amount: sol / 2}, mint.String(),
		signingtest.Transfer(owner, makers, sol/2), moves(makers, ata(payee), 99_000_000), moves(makers, ata(owner), 1))
	assert.Equal(t, plain, kinds(m.judged(elsewhere)), "what goes elsewhere is no income")
	back := m.trade(sol/2, 99_000_000, moves(owner, ata(makers), 900))
	back.Unsigned.Intent.Spend = append(back.Unsigned.Intent.Spend, walletfi.Asset{Mint: mint.String(), Amount: 900})
	assert.Equal(t, map[string]int64{"SOL": sol/2 + fee, mint.String(): 900}, kinds(m.judged(back)))
}

func TestWhatHasNoPriceIsNoTrade(t *testing.T) {
	for name, change := range map[string]func(m *market){
		"stale": func(m *market) { m.pass(2 * time.Minute) },
		"the future": func(m *market) {
			for i := range m.one.prices {
				m.one.prices[i].At = m.clock.Now().Add(2 * time.Minute)
			}
		},
		"missing":  func(m *market) { m.one.prices = m.one.prices[:1] },
		"an error": func(m *market) { m.one.err = errors.New("away") },
		"zero":     func(m *market) { m.price("200", "0") },
		"negative": func(m *market) { m.price("-200", "-1") },
		"too long": func(m *market) { m.price("200", "1e-300") },
		"no value": func(m *market) { m.one.prices[0].Value = walletfi.Decimal{} },
		"apart": func(m *market) {
			for i := range m.one.prices {
				m.one.prices[i].Value = m.one.prices[i].Value.Mul(walletfi.MustDecimal("1.02"))
			}
		},
		"twice": func(m *market) { m.one.prices = append(m.one.prices, m.one.prices...) },
	} {
		t.Run(name, func(t *testing.T) {
			m := newMarket(t, 2, tradesText())
			change(m)
			got := m.judged(m.trade(sol/2, 99_000_000))
			assert.Nil(t, got.Trade)
			assert.Equal(t, map[string]int64{"SOL": sol/2 + 2*baseFee}, kinds(got))
			require.Positive(t, m.one.asked)
		})
	}
	m := newMarket(t, 2, tradesText())
	m.trade(1, 1)
	require.Zero(t, m.one.asked)
	for range 5 {
		require.NotNil(t, m.judged(m.trade(sol/2, 99_000_000)).Trade)
	}
	require.Equal(t, 1, m.one.asked, "it is not asked again at once")
	m.pass(20 * time.Second)
	m.one.err = errors.New("away")
	require.NotNil(t, m.judged(m.trade(sol/2, 99_000_000)).Trade, "the last prices are fresh")
	require.Equal(t, 2, m.one.asked)
}

// TestWhatIsNoTradeEither: under a grant, on a nonce and beside a program's call, what leaves counts as ever.
func TestWhatIsNoTradeEither(t *testing.T) {
	text := strings.Replace(tradesText(), "admins = [0]", "admins = [0]\napprovals = 2\ngrant_lasts = \"1h\"", 1)
	text = strings.Replace(text, "transaction = 2_000_000_000\n", "transaction = 2_000_000_000\nunapproved = 20_000\n", 1) // for fees
	for _, name := range []string{"ann", "bob"} {
		text += fmt.Sprintf("\n[[approver]]\nname = %q\nkey = %q\n", name, line(approver(name)))
	}
	m := newMarket(t, 2, text)
	require.NotNil(t, m.judged(m.trade(sol/2, 99_000_000)).Trade, "a trade needs no grant")
	q := m.trade(sol/2, 99_000_000)
	g := m.ask(q)
	require.Len(t, g.Grant.Most, 1)
	assert.Equal(t, walletfi.NativeMint, g.Grant.Most[0].Mint)
	assert.Equal(t, walletfi.Amount(sol/2), g.Grant.Most[0].Amount)
	for _, name := range []string{"ann", "bob"} {
		_, err := m.says(g, name, grant.Approves)
		require.NoError(t, err)
	}
	q.Grant = g.Grant.ID
	assert.Nil(t, m.judged(q).Trade)

	m = newMarket(t, 2, tradesText())
	m.takes(3*sol, sol/2)
	beside := m.trade(sol/2, 99_000_000, signingtest.Instruction{Program: program, Data: []byte{1},
		Accounts: []signingtest.Account{{Key: owner, Signer: true, Writable: true}, {Key: owner}}})
	beside.Unsigned.Intent.Service = "lending"
	got := m.judged(beside)
	assert.Equal(t, signer.GradeSimulation, got.Grade)
	assert.Nil(t, got.Trade)
}

func TestTradesOfAPolicy(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"no prices":          {"[prices]\nunit", "[pay]\nunit", "trades have no prices"},
		"no turnover":        {"turnover = [{length = \"1h\", most = 5_000_000_000}]", "", "no window of turnover"},
		"within":             {"within = 200", "within = 1001", "within is 0 to 1000 basis points, not 1001"},
		"agree":              {"agree = 100", "agree = -1", "agree is 0 to 1000 basis points, not -1"},
		"age":                {`age = "1m"`, `age = "2h"`, "age is 2h, of 1s to 1h"},
		"a source twice":     {`["one", "two"]`, `["one", "one"]`, `"one" comes twice`},
		"no source":          {`["one", "two"]`, `[]`, "prices have no source"},
		"decimals":           {"decimals = 9", "decimals = 19", "SOL has 19 decimals"},
		"a grant":            {"most = 20_000_000}", "most = 20_000_000, unapproved = 1}", "trades need no grant"},
		"turnover as a mint": {`mint = "SOL"`, `mint = "turnover"`, "is not the base58"},
	} {
		text := strings.Replace(tradesText(), c.old, c.new, 1)
		require.NotEqual(t, tradesText(), text, name)
		_, err := signer.ParsePolicy([]byte(text))
		require.ErrorContains(t, err, c.want, name)
	}
	words := parsed(t, tradesText()).Words()
	for _, want := range []string{
		`Owner "bot" may trade up to 5000 USD within any 1h.`,
		`Owner "bot" may lose at most 20 USD by these trades within any 1h, by the prices when they are signed.`,
		`Owner "bot" may lose at most 200 of 10000 parts by one trade. What may lose more leaves under the ceiling of its mint.`,
		`Prices in USD are those of "one", "two", not older than 1m. Those of a mint may be 100 of 10000 parts apart.`,
		`SOL, with 9 decimals, may be traded.`,
	} {
		assert.Contains(t, words, want)
	}
	m := newMarket(t, 1, tradesText())
	cfg := m.cfg
	cfg.Prices = cfg.Prices[:1]
	_, err := signer.Open(t.Context(), cfg)
	require.ErrorContains(t, err, `prices of "one", which is not among the sources`)
	cfg.Prices = []signer.Prices{m.one, m.two, m.one}
	_, err = signer.Open(t.Context(), cfg)
	require.ErrorContains(t, err, `two sources of prices have the name "one"`)
}

// TestTradesOnANonce: what is signed on a durable nonce may land when prices are others.
func TestTradesOnANonce(t *testing.T) {
	text := strings.Replace(tradesText(), "[[owner.ceiling]]", fmt.Sprintf("nonces = [%q]\n[[owner.ceiling]]", nonce), 1)
	m := newMarket(t, 2, text)
	advance := signingtest.Instruction{
		Program: signing.SystemProgram, Data: []byte{4, 0, 0, 0}, Accounts: []signingtest.Account{
			{Key: nonce, Writable: true}, {Key: signing.MustPublicKey("SysvarRecentB1ockHashes11111111111111111111")},
			{Key: owner, Signer: true},
		},
	}
	q := m.trade(sol/2, 99_000_000)
	tx := signingtest.Transaction{FeePayer: owner, Blockhash: keyed("value"), Instructions: []signingtest.Instruction{
		advance, signingtest.Transfer(owner, makers, sol/2), moves(makers, ata(owner), 99_000_000),
	}}
	q.Unsigned.Transactions[0] = tx.Unsigned(t)
	got := m.judged(q)
	assert.Nil(t, got.Trade)
	assert.Equal(t, int64(sol/2+2*baseFee), kinds(got)["SOL"])
}

// TestAClientsShareOfTrades: a client has its share of turnover and loss too.
func TestAClientsShareOfTrades(t *testing.T) {
	m := newMarket(t, 2, tradesText())
	m.price("9000", "1")
	q := m.trade(sol/4, 2_250_000_000)
	m.refused("other", q, signer.CodeShare)
	m.signed(q)
	m.refused("other", m.trade(sol/8, 1_105_000_000), signer.CodeShare) // of loss: 20 of 8 USD
	m.refused("trader", m.trade(sol/3, 3_000_000_000), signer.CodeWindow)
}

// TestACopyHasNoTradesLeft: a copy of the store that took its place may lack trades, so that the windows of turnover
// and loss are used up, as all others are.
func TestACopyHasNoTradesLeft(t *testing.T) {
	m := newMarket(t, 2, tradesText())
	path := m.backup()
	m.signed(m.trade(sol/2, 99_000_000))
	m.restore(path)
	used, err := m.Ledger(t.Context())
	require.NoError(t, err)
	require.Len(t, used, 5)
	for _, u := range used {
		require.Zero(t, u.Left, "%s within %s", u.Mint, u.Length)
	}
	m.audited(t)
}

// TestTradesAreWatched: the numbers that a signer is watched by have the windows of turnover and loss, and what is
// sold as an amount of its mint.
func TestTradesAreWatched(t *testing.T) {
	m := newMarket(t, 2, tradesText())
	m.signed(m.trade(sol/2, 98_000_000))
	s := m.stats()
	require.Equal(t, map[signer.Mint]int64{walletfi.NativeMint: sol/2 + 2*baseFee}, s.Debits)
	ratios := map[string]float64{}
	for _, w := range s.Windows {
		ratios[w.Mint.String()+" "+w.Length] = w.Ratio
	}
	require.InDelta(t, 0.02, ratios["turnover 1h"], 0.0001)
	require.InDelta(t, 0.1, ratios["loss 1h"], 0.0001)
}

// TestTheAuditCountsTradesAgain: also who has the log's key cannot have a trade count less than its prices say.
func TestTheAuditCountsTradesAgain(t *testing.T) {
	for name, change := range map[string]string{
		"":           `SELECT 1`,
		"a price":    `UPDATE log SET body = replace(body, '"value":200', '"value":199') WHERE kind = 'sign'`,
		"the prices": `UPDATE log SET body = json_set(body, '$.messages[0].trade.prices', json('[]')) WHERE kind = 'sign'`,
		"the trade":  `UPDATE log SET body = json_remove(body, '$.messages[0].trade') WHERE kind = 'sign'`,
		"a loss": `UPDATE log SET body = json_set(body, '$.messages[0].debits[3].amount', '1') WHERE kind = 'sign';
			UPDATE debit SET amount = 1 WHERE mint = 'loss'`,
	} {
		t.Run(name, func(t *testing.T) {
			m := newMarket(t, 2, tradesText())
			m.signed(m.trade(sol/2, 99_000_000))
			require.NoError(t, m.Signer.Close())
			(&page{rig: m.rig}).rewrites(t, change)
			require.NoError(t, os.Remove(m.cfg.Anchor))
			_, err := signer.Audit(t.Context(), m.cfg.Store, m.cfg.Anchor, public)
			if name == "" {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, signer.ErrAltered)
				require.ErrorContains(t, err, "does not count what it trades")
			}
			m.reopenAnyway()
		})
	}
}

// reopenAnyway opens another store, for what ends a test.
func (r *rig) reopenAnyway() {
	r.cfg.Store += ".other"
	r.open()
}
