package routes

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/sandbox"
)

// TestWireTests: the tests of a client's own package call each of its methods.
// They look at what is sent and decoded, byte for byte, which the sandbox does
// not.
func TestWireTests(t *testing.T) {
	for service, client := range flows.Clients {
		tests := testSources(t, service)
		checked := 0
		for i := range client.NumMethod() {
			m := client.Method(i)
			if m.Type.NumIn() < 2 || m.Type.In(1) != reflect.TypeFor[context.Context]() {
				continue
			}
			checked++
			if !regexp.MustCompile(`\.` + m.Name + `\b`).MatchString(tests) {
				t.Errorf("no test in %s calls %s", service, m.Name)
			}
		}
		require.NotZero(t, checked, service)
	}
}

// testSources returns the text of all tests in a service's package.
func testSources(t *testing.T, service sandbox.Service) string {
	t.Helper()
	files, err := filepath.Glob("../../" + string(service) + "/*_test.go")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var all strings.Builder
	for _, path := range files {
		if filepath.Base(path) == "example_test.go" {
			continue
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		all.Write(text)
	}
	return all.String()
}
