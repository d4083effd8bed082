package e2e

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// promises are the words "never" and "at most" in the comments of exported names of four
// packages, in their order, and for each the test of its folder that fails if it is not kept.
var promises = map[string][]string{
	"ratelimit.Budget":                {"TestLimiterIsExact"},
	"ratelimit.Budget.Per":            {"TestBudgetValidate"},
	"ratelimit.Budget.Validate":       {"TestBudgetValidate"},
	"ratelimit.BudgetLimiter.Hold":    {"TestMemoryLimiter"},
	"ratelimit.BudgetLimiter.Permit":  {"TestMemoryLimiter"},
	"ratelimit.BudgetLimiter.Tighten": {"TestMemoryLimiter", "TestMemoryLimiter"},
	"ratelimit.Fallback":              {"TestFallbackIsNeverOver"},
	"ratelimit.Limiter.Hold":          {"TestBrokenLimiters"},
	"ratelimit.Limiter.Tighten":       {"TestBrokenLimiters", "TestBrokenLimiters"},
	"ratelimit.Pacer.Hold":            {"TestPacerHoldsLongest"},
	"signing":                         {"TestLocalKeyNeverPrints"},
	"signing.LocalKey":                {"TestLocalKeyNeverPrints"},
	"signing.LocalKey.Close":          {"TestLocalKeyCloses"},
	"signing.ParseLocalKey":           {"TestLocalKeyRefuses"},
	"signing.RuleTip":                 {"TestSystemTransfer"},
	"wallet":                          {"TestStepsGoOnWithinWhatWasAsked", "TestGuarantee"},
	"wallet.Config.ConfirmTimeout":    {"TestImpatience"},
	"wallet.Config.Effects":           {"TestEveryCallIsBounded"},
	"wallet.Entry.Spent":              {"TestReplayed"},
	"wallet.Entry.Version":            {"TestVersionsOfAKey"},
	"wallet.EntryStep.InPlaceOf":      {"TestSubmitWhatAWalletChanges"},
	"wallet.ErrShort":                 {"TestPlaceIsShort"},
	"wallet.ExecuteOptions.Key":       {"TestKeyThatAJournalCannotHold"},
	"wallet.KeyExpired":               {"TestPlaceBuildsAnewOnlyAfterProof"},
	"wallet.KeyState":                 {"TestGuarantee"},
	"wallet.Result.Net":               {"TestNetOfEffects"},
	"wallet.Shortfall.Arrived":        {"TestShortfalls"},
	"wallet.StepError.Unwrap":         {"TestPartOfASetIsLeftToDo"},
	"wallet.Wallet.Execute":           {"TestPartOfASetIsLeftToDo"},
	"wallet.Wallet.Place":             {"TestPlaceStages"},
	"wallet.Wallet.ResetHead":         {"TestResetHead"},
	"wallet.Wallet.Submit":            {"TestDoorRefusesWhatThePageSends", "TestSubmitTooLate"},
	"webhooks.Delivery":               {"TestLedgerDelivery"},
	"webhooks.MemorySeen":             {"TestMemorySeenIsBounded"},
	"webhooks.Quantity.Valid":         {"TestQuantityOfManyDigits"},
}

var promise = regexp.MustCompile(`(?i)\b(never|at most)\b`)

// TestPromises: each "never" and "at most" of the packages that money hangs on is tested.
func TestPromises(t *testing.T) {
	found := map[string]int{}
	for _, folder := range []string{"wallet", "signing", "webhooks", "ratelimit"} {
		for name, text := range comments(t, filepath.Join("..", folder)) {
			if n := len(promise.FindAllString(text, -1)); n > 0 {
				found[strings.TrimSuffix(folder+"."+name, ".")] = n
			}
		}
	}
	sum := 0
	for _, name := range slices.Sorted(maps.Keys(found)) {
		require.Len(t, promises[name], found[name], "%s: each needs the name of its test, or other words", name)
		sum += found[name]
		folder, _, _ := strings.Cut(name, ".")
		for _, test := range promises[name] {
			require.Contains(t, tests(t, folder), "func "+test+"(", name)
		}
	}
	for name := range promises {
		require.Contains(t, found, name, "it promises nothing any more")
	}
	require.Greater(t, sum, 20)
	fmt.Printf("promises=%d names=%d without a test=0\n", sum, len(found))
}

// tests are the tests of a folder and of those below it.
func tests(t *testing.T, folder string) string {
	var all strings.Builder
	require.NoError(t, filepath.WalkDir(filepath.Join("..", folder), func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		all.Write(text)
		return err
	}))
	return all.String()
}

// comments are those of a package and of its exported names, fields and methods.
func comments(t *testing.T, folder string) map[string]string {
	all := map[string]string{}
	note := func(name string, docs ...*ast.CommentGroup) {
		for _, d := range docs {
			all[name] += strings.Join(strings.Fields(d.Text()), " ") + " "
		}
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	require.NoError(t, err)
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		require.NoError(t, err)
		note("", file.Doc)
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if of := receiver(d); d.Name.IsExported() && (of == "" || ast.IsExported(of)) {
					note(strings.TrimPrefix(of+"."+d.Name.Name, "."), d.Doc)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					ofSpec(d, s, note)
				}
			}
		}
	}
	return all
}

func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	of := d.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	if index, ok := of.(*ast.IndexExpr); ok {
		of = index.X
	}
	if name, ok := of.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}

func ofSpec(d *ast.GenDecl, s ast.Spec, note func(string, ...*ast.CommentGroup)) {
	switch s := s.(type) {
	case *ast.ValueSpec:
		for _, name := range s.Names {
			if name.IsExported() {
				note(name.Name, s.Doc, s.Comment)
				if len(d.Specs) == 1 {
					note(name.Name, d.Doc)
				}
			}
		}
	case *ast.TypeSpec:
		if !s.Name.IsExported() {
			return
		}
		note(s.Name.Name, d.Doc, s.Doc, s.Comment)
		var fields *ast.FieldList
		switch of := s.Type.(type) {
		case *ast.StructType:
			fields = of.Fields
		case *ast.InterfaceType:
			fields = of.Methods
		}
		if fields == nil {
			return
		}
		for _, f := range fields.List {
			for _, name := range f.Names {
				if name.IsExported() {
					note(s.Name.Name+"."+name.Name, f.Doc, f.Comment)
				}
			}
		}
	}
}
