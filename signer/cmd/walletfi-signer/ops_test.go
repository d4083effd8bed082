package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	metricName = regexp.MustCompile(`walletfi_signer_[a-z_]+`)
	legend     = regexp.MustCompile(`{{ *(?:\$labels\.)?([a-z_]+) *}}`)
)

// metrics are the metrics of a scrape with their labels, and what a scrape job adds to each.
func metrics(text string) map[string][]string {
	all := map[string][]string{}
	for line := range strings.Lines(text) {
		name := metricName.FindString(line)
		if strings.HasPrefix(line, "#") || name == "" {
			continue
		}
		all[name] = append(all[name], "instance")
		for _, pair := range regexp.MustCompile(`([a-z_]+)="`).FindAllStringSubmatch(line, -1) {
			all[name] = append(all[name], pair[1])
		}
	}
	return all
}

func read(t *testing.T, path string) string {
	text, err := os.ReadFile("../../../" + path)
	require.NoError(t, err)
	return string(text)
}

// TestDashboard: each expression names metrics that there are, each legend their labels, and every
// metric is on a panel.
func TestDashboard(t *testing.T) {
	var d struct {
		Panels []struct {
			Title, Type string
			Targets     []struct{ Expr, LegendFormat string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(read(t, "ops/dashboards/signer.json")), &d))
	there, shown := metrics(scraped(t)), map[string]bool{}
	require.Greater(t, len(there), 15)
	for _, p := range d.Panels {
		require.Equal(t, p.Type == "row", len(p.Targets) == 0, p.Title)
		for _, target := range p.Targets {
			names := metricName.FindAllString(target.Expr, -1)
			require.Len(t, names, 1, p.Title)
			require.Contains(t, there, names[0], p.Title)
			shown[names[0]] = true
			for _, label := range legend.FindAllStringSubmatch(target.LegendFormat, -1) {
				assert.Contains(t, there[names[0]], label[1], p.Title)
			}
		}
	}
	for name := range there {
		assert.Contains(t, shown, name, "it is on no panel")
	}
}

// TestAlerts: each names metrics and labels that there are, and a section of docs/signer.md whose
// commands exist; and promtool finds that they do what the tests next to them say.
func TestAlerts(t *testing.T) {
	rules, there := read(t, "ops/alerts/signer.rules.yml"), metrics(scraped(t))
	alerts := strings.Split(rules, "- alert: ")[1:]
	require.Greater(t, len(alerts), 6)
	tests := read(t, "ops/alerts/signer.rules.test.yml")
	for _, alert := range alerts {
		name, _, _ := strings.Cut(alert, "\n")
		expr := regexp.MustCompile(`(?m)^ *expr: (.*)$`).FindStringSubmatch(alert)
		require.NotNil(t, expr, name)
		var labels []string
		for _, metric := range metricName.FindAllString(expr[1], -1) {
			require.Contains(t, there, metric, name)
			labels = append(labels, there[metric]...)
		}
		if len(labels) == 0 {
			require.Contains(t, expr[1], "up{", name)
		}
		for _, label := range regexp.MustCompile(`\$labels\.([a-z_]+)`).FindAllStringSubmatch(alert, -1) {
			assert.Contains(t, labels, label[1], name)
		}
		assert.Contains(t, tests, "alertname: "+name+"\n        exp_alerts:\n", "no test has it fire")
		page, anchor, found := strings.Cut(regexp.MustCompile(`runbook_url: (\S+)`).FindStringSubmatch(alert)[1], "#")
		require.True(t, found, name)
		require.True(t, strings.HasSuffix(page, "/docs/signer.md"), name)
		runbook(t, anchor)
	}
	if promtool, err := exec.LookPath("promtool"); err == nil {
		check := exec.CommandContext(t.Context(), promtool, "test", "rules", "signer.rules.test.yml")
		check.Dir = "../../../ops/alerts"
		out, err := check.CombinedOutput()
		require.NoError(t, err, string(out))
		t.Logf("alerts: %d tested by promtool", len(alerts))
	} else {
		require.Empty(t, os.Getenv("WALLETFI_SIGNER_PROGRAM"), ".ci/signer has promtool")
	}
}

// runbook checks that a section is there, and that the program has its commands.
func runbook(t *testing.T, anchor string) {
	heading := "### " + strings.ReplaceAll(anchor, "-", " ") + "\n"
	doc := read(t, "docs/signer.md")
	at := strings.Index(strings.ToLower(doc), heading)
	require.GreaterOrEqual(t, at, 0, anchor)
	section := doc[at+len(heading):]
	if end := strings.Index(section, "\n#"); end >= 0 {
		section = section[:end]
	}
	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(section, -1)
	require.NotEmpty(t, blocks, anchor)
	for _, line := range strings.Split(strings.TrimSpace(blocks[0][1]), "\n") {
		words := strings.Fields(line)
		if words[0] != "walletfi-signer" {
			require.Equal(t, "kill", words[0], line)
			continue
		}
		out, status := command(t, "", words[1], "--help")
		require.Zero(t, status, "%s: %s", line, out)
		for _, word := range words[2:] {
			if word == "|" {
				break
			}
			if flag, _, _ := strings.Cut(word, "="); strings.HasPrefix(flag, "--") {
				assert.True(t, slices.Contains(strings.Fields(out), flag), "%s: no flag %s", line, flag)
			}
		}
	}
}
