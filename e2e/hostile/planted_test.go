package hostile

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/calls"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/observe"
)

// tiny is a client of the test's own, with or without faults.
type tiny struct {
	*http.Client
	strict   bool
	observer observe.Observer
}

// pool is its answer.
type pool struct {
	Mint     string
	Decimals int
	Price    walletfi.Decimal
	Note     string
	Problem  string
}

const honestPool = `{"mint":"EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v","decimals":6,"price":"0.5","note":"n"}`

const tinyOracle = "tiny.Get\tmint\tkey\t-\tdecides\techo\ntiny.Get\tdecimals\tint\t0..255\tdecides\n" +
	"tiny.Get\tprice\tprice\t0..1\tdecides\n"

func (c *tiny) Get(ctx context.Context, mint string, _ ...walletfi.CallOption) (*pool, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://tiny.example/"+mint, nil)
	if err != nil {
		return nil, err
	}
	resp, err := c.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	if c.strict {
		c.tellOfNote(ctx, body)
		return strictPool(body, mint)
	}
	return loosePool(body), nil
}

// tellOfNote tells the observer of a note that is no text, or comes twice: nothing hangs on it.
func (c *tiny) tellOfNote(ctx context.Context, body []byte) {
	notes, kinds := 0, ""
	for _, m := range members(string(body)) {
		if m.at == "note" {
			notes++
			kinds += string(m.kind)
		}
	}
	if c.observer != nil && (notes > 1 || strings.Trim(kinds, "s") != "") {
		c.observer.Observe(ctx, observe.Drift{Member: "pool.note", Fault: "of another kind"})
	}
}

// loosePool reads what it can, as a careless client does.
func loosePool(body []byte) *pool {
	var raw map[string]any
	_ = json.Unmarshal(body, &raw)
	p := &pool{}
	p.Note, _ = raw["note"].(string)
	p.Mint, _ = raw["mint"].(string)
	p.Decimals, _ = strconv.Atoi(fmt.Sprint(raw["decimals"]))
	if text, ok := raw["price"].(string); ok {
		p.Price, _ = walletfi.NewDecimal(text)
	}
	return p
}

var errTiny = errors.New("that cannot be")

// strictPool refuses whatever is not as it should be. It reports a price that is not a number.
func strictPool(body []byte, mint string) (*pool, error) {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(body, &raw); err != nil {
		return nil, err
	}
	names := map[string]int{}
	for _, m := range members(string(body)) {
		names[m.at]++
	}
	refused := raw["success"] != nil && string(raw["success"]) == "false" || raw["errors"] != nil
	if e := string(raw["error"]); refused || len(e) > 4 && e != "null" || names["mint"]+names["decimals"]+names["price"] != 3 {
		return nil, errTiny
	}
	p := &pool{Problem: "no price"}
	if json.Unmarshal(raw["mint"], &p.Mint) != nil || p.Mint != mint {
		return nil, errTiny
	}
	decimals, err := strconv.ParseUint(string(raw["decimals"]), 10, 8)
	if err != nil {
		return nil, errTiny
	}
	p.Decimals = int(decimals)
	var price string
	_ = json.Unmarshal(raw["price"], &price)
	if n, ok := number(price); ok && n.Sign() >= 0 && n.Cmp(big.NewRat(1, 1)) <= 0 {
		p.Price, p.Problem = walletfi.MustDecimal(price), ""
	}
	_ = json.Unmarshal(raw["note"], &p.Note)
	return p, nil
}

func judged(t *testing.T, strict bool) *judge {
	t.Helper()
	const mint = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
	r := &calls.Row{
		Op: "tiny.Get", Call: wiretest.Of((*tiny).Get, mint),
		Maker: func(o walletfi.Options) (any, error) { return &tiny{o.HTTPClient, strict, o.Observer}, nil },
		Exchanges: []calls.Exchange{{
			Method: http.MethodGet, Path: "/" + mint, Status: http.StatusOK, Body: honestPool,
		}},
	}
	j := newJudge(newOracle(t, tinyOracle))
	j.row(t.Context(), r)
	return j
}

// TestPlanted: each kind of lie is found in a client that believes them all, and none in one
// that refuses them or tells of them.
func TestPlanted(t *testing.T) {
	j := judged(t, false)
	for path, classes := range map[string][]string{
		"mint":     {"missing", "null", "range", "twice", "request"},
		"decimals": {"missing", "null", "kind", "range", "twice"},
		"price":    {"missing", "null", "kind", "range", "twice"},
		"error":    {"failure"}, "success": {"failure"},
	} {
		for _, class := range classes {
			require.Contains(t, j.believed, place{"tiny.Get", path, class}, "%s", j.report(99))
		}
	}
	require.Equal(t, worst, j.believed[place{"tiny.Get", "decimals", "missing"}].harm)
	require.Equal(t, silent, j.believed[place{"tiny.Get", "price", "missing"}].harm)
	require.NotContains(t, j.believed, place{"tiny.Get", "error", "harmless"})
	require.NotContains(t, j.believed, place{"tiny.Get", "note", "missing"})
	require.Equal(t, quiet, j.believed[place{"tiny.Get", "note", "kind"}].harm)
	require.Equal(t, quiet, j.believed[place{"tiny.Get", "note", "twice"}].harm)

	j = judged(t, true)
	require.Empty(t, j.believed, "%s", j.report(99))
	require.Greater(t, j.answers, 60)
}

// TestOverstrict: a client that refuses what it should read is found too.
func TestOverstrict(t *testing.T) {
	made := 0
	r := &calls.Row{
		Op: "tiny.Get", Call: wiretest.Of((*tiny).Get, "m"),
		Maker: func(o walletfi.Options) (any, error) {
			made++
			if made > 1 {
				return nil, errTiny
			}
			return &tiny{o.HTTPClient, false, nil}, nil
		},
		Exchanges: []calls.Exchange{{Method: http.MethodGet, Path: "/m", Status: http.StatusOK, Body: honestPool}},
	}
	j := newJudge(newOracle(t, tinyOracle))
	j.row(t.Context(), r)
	require.Contains(t, j.believed, place{"tiny.Get", "error", "harmless"})
	require.Contains(t, j.believed, place{"tiny.Get", "success", "harmless"})
}

// TestMembers: each value of a body is found where it stands, and can be changed alone.
func TestMembers(t *testing.T) {
	const body = `{"a": [ {"b":1, "c":"x\"}"} , {"b":2,"c":null} ], "d":{"EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v":true}}`
	got := map[string]member{}
	for _, m := range members(body) {
		got[m.at] = m
	}
	require.Len(t, got, 10)
	require.Equal(t, "a[].c", got["a[1].c"].path)
	require.Equal(t, `"x\"}"`, got["a[0].c"].text(body))
	require.Equal(t, "d.*", got["d.EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"].path)
	for _, m := range members(body)[1:] {
		require.True(t, json.Valid([]byte(m.with(body, "7"))), m.at)
		if m.key >= 0 {
			require.True(t, json.Valid([]byte(m.without(body))), m.without(body))
			require.True(t, json.Valid([]byte(m.twice(body, "7"))), m.at)
		}
	}
	require.Equal(t, `{"a":[1,3],"b":{"c":[[1,2,3],[7,8,9]]}}`, trimmed(`{"a":[1,2,3],"b":{"c":[[1,2,3],[4,5,6],[7,8,9]]}}`))
}
