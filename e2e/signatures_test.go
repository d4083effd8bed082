package e2e

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// signatureExceptions are exported functions and methods that take or return an any, or three
// values of one basic type in a row, and why.
var signatureExceptions = map[string]string{
	"client, method (*Client) Get":               "it decodes into what it is given, as encoding/json does",
	"walletfi, method (Document) Decode":         "it decodes into what it is given, as encoding/json does",
	"webhooks, method (*Delivery) Decode":        "it decodes into what it is given, as encoding/json does",
	"walletfi, method (Time) AddDate":            "time.Time has it",
	"walletfi, method (Time) Clock":              "time.Time has it",
	"webhooks, method (*DeliveryReader) Headers": "three header names, which the results are named for",
	"sandbox, method (LedgerHandle) LeastPrice":  "compute units and the first and the last slot, of the sandbox, for tests",
}

// TestSignatures: no exported function takes or returns an any, and none three values of one
// basic type in a row, which a caller could confuse: a struct names them.
func TestSignatures(t *testing.T) {
	files, err := filepath.Glob("../api/*.txt")
	require.NoError(t, err)
	gone, seen, excepted := map[string]bool{}, 0, map[string]bool{}
	for line := range linesOf(t, "../api/except.txt") {
		gone[line] = true
	}
	for _, file := range files {
		for line := range linesOf(t, file) {
			name, parameters, ok := signatureOf(line)
			if !ok || gone[line] || strings.HasSuffix(file, "except.txt") {
				continue
			}
			seen++
			problem := signatureProblem(parameters)
			if problem != "" && signatureExceptions[name] != "" {
				excepted[name] = true
				continue
			}
			require.Empty(t, problem, line)
		}
	}
	require.Greater(t, seen, 1000)
	for name := range signatureExceptions {
		require.True(t, excepted[name], "%s needs no exception", name)
	}
	fmt.Printf("signatures=%d excepted=%d\n", seen, len(excepted))
}

// TestSignatureProblem: each kind is seen.
func TestSignatureProblem(t *testing.T) {
	for line, wrong := range map[string]bool{
		"pkg p, func F(string, any) error":                             true,
		"pkg p, method (*T) F(int) map[string]any":                     true,
		"pkg p, type I interface, F(context.Context, int, int, int)":   true,
		"pkg p, method (T) F(string, string, string, uint64)":          true,
		"pkg p, method (T) F(string, string, uint64, uint64) error":    false,
		"pkg p, func F[T any](T, string) T":                            false,
		"pkg p, method (T) F(anyhow, func(int, int) int, int) company": false,
	} {
		_, parameters, ok := signatureOf(line)
		require.True(t, ok, line)
		require.Equal(t, wrong, signatureProblem(parameters) != "", line)
	}
}

func linesOf(t *testing.T, file string) func(func(string) bool) {
	t.Helper()
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	return func(yield func(string) bool) {
		for lines := bufio.NewScanner(strings.NewReader(string(content))); lines.Scan(); {
			if !yield(lines.Text()) {
				return
			}
		}
	}
}

var (
	signature = regexp.MustCompile(`^pkg (\S+, (?:func|method|type \w+ interface,) (?:\([^)]*\) )?\w+)(?:\[[^(]*\])?(\(.*)$`)
	anyWord   = regexp.MustCompile(`\bany\b`)
	three     = func() []*regexp.Regexp {
		var all []*regexp.Regexp
		for _, basic := range []string{"string", "bool", "int", "int64", "uint64", "float64", "time.Duration"} {
			all = append(all, regexp.MustCompile(`[( ]`+basic+`, `+basic+`, `+basic+`[,)]`))
		}
		return all
	}()
)

// signatureOf is the name of a function, and its parameters and results.
func signatureOf(line string) (name, parameters string, ok bool) {
	found := signature.FindStringSubmatch(line)
	if found == nil {
		return "", "", false
	}
	return found[1], found[2], true
}

func signatureProblem(parameters string) string {
	if anyWord.MatchString(parameters) {
		return "has an any"
	}
	for _, row := range three {
		if row.MatchString(parameters) {
			return "has three in a row"
		}
	}
	return ""
}
