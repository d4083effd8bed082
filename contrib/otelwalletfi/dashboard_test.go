package otelwalletfi

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// dashboard is the part of dashboard.json that the test reads.
type dashboard struct {
	Templating struct {
		List []struct{ Name, Type, Query string }
	}
	Panels []struct {
		Title, Type string
		Targets     []struct{ Expr, LegendFormat string }
	}
}

var (
	metricName = regexp.MustCompile(`\b(?:walletfi|http)_[a-z_]+(?:_total|_bucket|_sum|_count|_ratio|_seconds|_remaining|_queue|_unsettled|_price|_market|_vain)\b`)
	labelName  = regexp.MustCompile(`\b(?:walletfi_[a-z]+|error_type|http_response_status_code)\b`)
)

// TestDashboard: each query names a metric, and labels of it, that a scrape after a run
// has, and each metric of the catalogue is shown.
func TestDashboard(t *testing.T) {
	text, err := os.ReadFile("dashboard.json")
	require.NoError(t, err)
	var d dashboard
	require.NoError(t, json.Unmarshal(text, &d))
	scrape := drivenRig(t, false).scrape(t)
	labelsOf := map[string][]string{}
	for line := range strings.Lines(scrape) {
		name, rest, ok := strings.Cut(line, "{")
		if ok && !strings.HasPrefix(line, "#") {
			for _, pair := range regexp.MustCompile(`([a-z_]+)="`).FindAllStringSubmatch(rest, -1) {
				labelsOf[name] = append(labelsOf[name], pair[1])
			}
		}
	}
	require.Greater(t, len(labelsOf), 20)

	shown := map[string]bool{}
	check := func(where, query string) {
		t.Helper()
		names := metricName.FindAllString(query, -1)
		require.NotEmpty(t, names, "%s asks for nothing: %s", where, query)
		require.Len(t, slices.Compact(slices.Sorted(slices.Values(names))), 1, "%s asks for several: %s", where, query)
		name := names[0]
		shown[name] = true
		require.Contains(t, labelsOf, name, "%s: the scrape has no such metric", where)
		for _, label := range labelName.FindAllString(strings.ReplaceAll(query, name, ""), -1) {
			if label == "error_type" && declares(name, "error.type") {
				continue // the run had no such failure
			}
			require.Contains(t, labelsOf[name], label, "%s: %s has no such label", where, name)
		}
	}
	queries := 0
	for _, p := range d.Panels {
		if p.Type == "row" {
			continue
		}
		require.NotEmpty(t, p.Targets, p.Title)
		for _, target := range p.Targets {
			queries++
			check(p.Title, target.Expr)
			for _, label := range labelName.FindAllString(target.LegendFormat, -1) {
				require.Contains(t, target.Expr, label, "%s: the legend's label is summed away", p.Title)
			}
		}
	}
	require.Greater(t, queries, 20)
	for _, v := range d.Templating.List {
		if v.Type == "query" {
			check("the variable "+v.Name, v.Query)
		}
	}
	for _, e := range metrics {
		prefix := strings.ReplaceAll(e.name, ".", "_")
		require.True(t, slices.ContainsFunc(keys(shown), func(name string) bool { return strings.HasPrefix(name, prefix) }), "%s is on no panel", e.name)
	}
}

// declares reports whether the catalogue's metric of that name in a scrape can have an
// attribute.
func declares(scraped, attribute string) bool {
	return slices.ContainsFunc(metrics, func(e entry) bool {
		return strings.HasPrefix(scraped, strings.ReplaceAll(e.name, ".", "_")) && slices.Contains(e.attributes, attribute)
	})
}

func keys(m map[string]bool) (all []string) {
	for k := range m {
		all = append(all, k)
	}
	return all
}
