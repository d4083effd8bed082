package swap_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/swap"
)

// TestFills: a fill counts once, and a status whose fills contradict it says nothing.
func TestFills(t *testing.T) {
	fill := func(signature, in, out string) string {
		return `{"signature":"` + signature + `","inAmount":"` + in + `","outAmount":"` + out + `"}`
	}
	first, second := wiretest.Signature(1), wiretest.Signature(2)
	a, b := fill(first, "3", "30"), fill(second, "2", "20")
	const most = "18446744073709551615"
	for name, row := range map[string]struct {
		status, in, out string
		fills           []string
		left            int // fills of the result, -1 if there is none
	}{
		"closed":                       {"closed", "5", "50", []string{a, b}, 2},
		"closed, of one fill":          {"closed", "3", "30", []string{a}, 1},
		"a fill twice":                 {"closed", "5", "50", []string{a, b, a}, 2},
		"a fill twice, added up":       {"closed", "8", "80", []string{a, b, a}, -1},
		"a fill twice, out added up":   {"closed", "5", "80", []string{a, b, a}, -1},
		"a fill twice in other words":  {"closed", "5", "50", []string{a, fill(first, "2", "20")}, -1},
		"in other words, of the input": {"closed", "5", "30", []string{a, fill(first, "2", "30")}, -1},
		"no fills":                     {"closed", "5", "50", nil, -1},
		"no fills and no amounts":      {"closed", "0", "0", nil, -1},
		"fills of nothing":             {"closed", "0", "0", []string{fill(first, "0", "0")}, -1},
		"fills of no output":           {"closed", "3", "0", []string{fill(first, "3", "0")}, -1},
		"one has no output":            {"closed", "4", "30", []string{a, fill(wiretest.Signature(3), "1", "0")}, 2},
		"more in than the total":       {"closed", "4", "50", []string{a, b}, -1},
		"less in than the total":       {"closed", "6", "50", []string{a, b}, -1},
		"more out than the total":      {"closed", "5", "49", []string{a, b}, -1},
		"less out than the total":      {"closed", "5", "51", []string{a, b}, -1},
		"totals of 0":                  {"closed", "0", "0", []string{a, b}, -1},
		"past 64 bits":                 {"closed", "4", "29", []string{fill(first, most, most), fill(second, "5", "30")}, -1},
		"open":                         {"open", "5", "0", nil, 0},
		"open, in part":                {"open", "5", "30", []string{a}, 1},
		"open, totals not stated":      {"open", "0", "0", []string{a}, 1},
		"open, a fill twice":           {"open", "5", "30", []string{a, a}, 1},
		"open, more than all":          {"open", "2", "30", []string{a}, -1},
		"open, more out than all":      {"open", "5", "29", []string{a}, -1},
		"failed, in part":              {"failed", "5", "30", []string{a}, 1},
		"expired":                      {"expired", "0", "0", nil, 0},
		"expired, in part":             {"expired", "5", "50", []string{a}, 1},
		"expired, all filled":          {"expired", "5", "50", []string{a, b}, -1},
		"failed, all filled":           {"failed", "3", "30", []string{a, a}, -1},
		"failed, totals not stated":    {"failed", "0", "0", []string{a}, 1},
		"closed in capitals":           {"CLOSED", "5", "50", []string{a, b}, 2},
		"in capitals, no fills":        {"CLOSED", "5", "50", nil, -1},
	} {
		t.Run(name, func(t *testing.T) {
			body := `{"status":"` + row.status + `","inAmount":"` + row.in + `","outAmount":"` + row.out + `","fills":[` + strings.Join(row.fills, ",") + `]}`
			c, _ := carriedClient(t, keyed(), map[string][]answer{ask: {{Status: 200, Body: body}}})
			status, err := c.GetOrderStatus(t.Context(), swap.OrderStatusRequest{Signature: signature})
			if row.left < 0 {
				require.ErrorIs(t, err, walletfi.ErrDecode)
				require.Nil(t, status)
				return
			}
			require.NoError(t, err)
			require.Len(t, status.Fills, row.left)
		})
	}
}
