package e2e

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/swap"
)

// TestDecoders holds decoders to the json tags of their structs, for the
// packages that have no such test of their own.
func TestDecoders(t *testing.T) {
	t.Run("amm.AutoFee", wiretest.Decoder[amm.AutoFee]{}.Run)
	t.Run("burnclose.CloseAllTransactions", wiretest.Decoder[burnclose.CloseAllTransactions]{Always: map[string]string{"transactions": `["Ldp"]`}}.Run)
	t.Run("burnclose.Instructions", wiretest.Decoder[burnclose.Instructions]{
		Types: map[reflect.Type][]string{reflect.TypeFor[burnclose.Instruction](): {`{"programId":"11111111111111111111111111111111","accounts":[],"data":"d"}`, `"4HUtbHhN2TkpR4HUtbHhN2TkpR4HUtbHhN2TkpR4HUtbHhN2TkpR"`}},
	}.Run)
	t.Run("burnclose.SendResult", wiretest.Decoder[burnclose.SendResult]{
		Types: map[reflect.Type][]string{reflect.TypeFor[burnclose.Confirmation](): {`{"confirmationStatus":"finalized"}`}},
	}.Run)
	t.Run("burnclose.Transaction", wiretest.Decoder[burnclose.Transaction]{}.Run)
	t.Run("lending.Event", wiretest.Decoder[lending.Event]{}.Run)
	t.Run("lending.ReferrerInitialization", wiretest.Decoder[lending.ReferrerInitialization]{}.Run)
	t.Run("leverage.Position", wiretest.Decoder[leverage.Position]{}.Run)
	t.Run("leverage.TradeEvent", wiretest.Decoder[leverage.TradeEvent]{}.Run)
	t.Run("swap.BuiltIntent", wiretest.Decoder[swap.BuiltIntent]{}.Run)
	t.Run("lending.DepositTransaction", wiretest.Decoder[lending.DepositTransaction]{}.Run)
	t.Run("lending.WithdrawTransaction", wiretest.Decoder[lending.WithdrawTransaction]{}.Run)
	t.Run("lending.ReferrerClaim", wiretest.Decoder[lending.ReferrerClaim]{}.Run)
	t.Run("leverage.Transaction", wiretest.Decoder[leverage.Transaction]{}.Run)
	t.Run("swap.Order", wiretest.Decoder[swap.Order]{}.Run)
	t.Run("swap.Transaction", wiretest.Decoder[swap.Transaction]{}.Run)
	t.Run("swap.PredictionMarketInit", wiretest.Decoder[swap.PredictionMarketInit]{}.Run)
	t.Run("providerswap.Transaction", wiretest.Decoder[providerswap.Transaction]{
		Types: map[reflect.Type][]string{reflect.TypeFor[providerswap.RouteStep](): {`{"swapProvider":"a","percent":100}`}},
	}.Run)
	t.Run("leverage.PartialSell", wiretest.Decoder[leverage.PartialSell]{
		Types: map[reflect.Type][]string{reflect.TypeFor[leverage.PositionPair](): {`["a","b"]`}},
	}.Run)
	t.Run("swap.Instructions", wiretest.Decoder[swap.Instructions]{
		Types: map[reflect.Type][]string{reflect.TypeFor[swap.Instruction](): {
			`{"programId":"` + wiretest.Address(1) + `","accounts":[],"data":"AQI="}`}},
	}.Run)
	t.Run("swap.Instruction", wiretest.Decoder[swap.Instruction]{
		Values: map[string][]string{"accounts": {`["a"]`, `[]`}},
	}.Run)
	t.Run("swap.Quote", wiretest.Decoder[swap.Quote]{}.Run)
}

// otherwise says what has json tags and a decoder that does not go by them.
var otherwise = map[string]string{
	"amm.Quote":                  "a stored quote, which is not the service's answer: amm.TestStoredQuoteBuilds",
	"amm.Transaction":            "a list on the wire; the tag names what must not be empty",
	"burnclose.GeneratedKey":     "keeps the whole answer; the tag names what must not be empty",
	"wallet.Result":              "written and read by this module only: wallet.TestResultSurvivesJSON",
	"wallet.Step":                "written and read by this module only: wallet.TestResultSurvivesJSON",
	"wallet.StepError":           "written and read by this module only: wallet.TestErrorsSurviveJSON",
	"wallet.FillStep":            "written and read by this module only: wallet.TestPlacedSurvivesJSON",
	"wallet.StageError":          "written and read by this module only: wallet.TestPlaceStages",
	"wallet.UnsettledError":      "written and read by this module only: wallet.TestErrorsSurviveJSON",
	"signing.Report":             "written and read by this module only, and refused without its version; signing has a test of the round trip",
	"signing.Pin":                "written and read by this module only, and exact: signing.TestPinJSON",
	"providerswap.TransactionV1": "found by its structure under any name; the tag names what must not be empty",
}

// TestDecodersAreAllTested finds each struct with json tags that has an
// UnmarshalJSON and requires a wiretest.Decoder for it in a test named TestDecoders.
func TestDecodersAreAllTested(t *testing.T) {
	s := scanSources(t)
	require.Greater(t, len(s.decoders), 20, "the scan found next to nothing")
	for name, why := range s.decoders {
		if otherwise[name] == "" && !s.tested[name] {
			t.Errorf("%s %s: test it with wiretest.Decoder", name, why)
		}
	}
	for name := range otherwise {
		require.Contains(t, s.decoders, name)
		require.NotContains(t, s.tested, name)
	}
}

// sources holds what the module's files say of decoders, by package and type.
type sources struct {
	tagged   map[string]bool   // structs with json tags
	decoders map[string]string // why it is a decoder's
	tested   map[string]bool   // type arguments within a TestDecoders
}

func scanSources(t *testing.T) *sources {
	t.Helper()
	s := &sources{map[string]bool{}, map[string]string{}, map[string]bool{}}
	methods := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains([]string{".git", "testdata", "internal", "sandbox", "examples", "bench", "contrib", "cmd"}, d.Name()) {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		s.read(file, strings.HasSuffix(path, "_test.go"), methods)
		return nil
	})
	require.NoError(t, err)
	for name := range s.tagged {
		if methods[name] {
			s.decoders[name] = "has an UnmarshalJSON"
		}
	}
	return s
}

// read notes what a file says.
func (s *sources) read(file *ast.File, isTest bool, methods map[string]bool) {
	own := strings.TrimSuffix(file.Name.Name, "_test") + "."
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			if fields, ok := n.Type.(*ast.StructType); ok && !isTest && hasTags(fields) {
				s.tagged[own+n.Name.Name] = true
			}
		case *ast.FuncDecl:
			switch {
			case n.Name.Name == "UnmarshalJSON" && n.Recv != nil && !isTest:
				methods[qualified(own, n.Recv.List[0].Type)] = true
			case n.Name.Name == "TestDecoders":
				s.readTest(own, n)
			}
		}
		return true
	})
}

// readTest notes the type arguments in a test: that of wiretest.Decoder, or of a
// function that makes such a decoder.
func (s *sources) readTest(own string, test *ast.FuncDecl) {
	ast.Inspect(test, func(n ast.Node) bool {
		if i, ok := n.(*ast.IndexExpr); ok {
			s.tested[qualified(own, i.Index)] = true
		}
		return true
	})
}

// qualified names a type as package.Type, without pointers and parameters.
func qualified(own string, e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return qualified(own, e.X)
	case *ast.IndexExpr:
		return qualified(own, e.X)
	case *ast.SelectorExpr:
		return fmt.Sprint(e.X) + "." + e.Sel.Name
	case *ast.Ident:
		return own + e.Name
	}
	return ""
}

// hasTags reports whether a field has a json tag with a name.
func hasTags(fields *ast.StructType) bool {
	return slices.ContainsFunc(fields.Fields.List, func(f *ast.Field) bool {
		if f.Tag == nil {
			return false
		}
		name, _, _ := strings.Cut(reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json"), ",")
		return name != "" && name != "-"
	})
}
