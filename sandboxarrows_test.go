package walletfi_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sandboxRooms are the folders below sandbox/internal that are no services,
// each with its floor. A room imports only rooms of lower floors.
var sandboxRooms = map[string]int{"snapshot": -1, "kit": 0, "control": 1, "ledger": 1, "build": 2, "market": 3, "node": 4, "dialect": 4, "world": 5, "page": 5, "worldtest": 6}

// sandboxFloor is the floor of a room of the sandbox, false if it is no room.
// All services share one floor, so that no service imports another.
func sandboxFloor(room string) (int, bool) {
	if slices.Contains(services, room) {
		return 4, true
	}
	at, ok := sandboxRooms[room]
	return at, ok
}

// TestArrowsOfTheSandbox holds the imports of each room of the sandbox against
// the floors. The door, package sandbox itself, may import every room.
func TestArrowsOfTheSandbox(t *testing.T) {
	all := imports(t)
	for _, room := range append(slices.Sorted(maps.Keys(sandboxRooms)), services...) {
		t.Run(room, func(t *testing.T) {
			folder := "sandbox/internal/" + room
			require.NotEmpty(t, all[folder])
			for _, i := range all[folder] {
				if why := forbiddenRoom(room, i.imported); why != "" {
					t.Errorf("%s imports %s: %s", i.file, i.imported, why)
				}
			}
		})
		delete(all, "sandbox/internal/"+room)
	}
	for folder := range all {
		require.False(t, strings.HasPrefix(folder, "sandbox/internal/"), "%s has no floor", folder)
	}
	require.NotEmpty(t, all["sandbox/play"])
	for _, i := range all["sandbox/play"] {
		require.False(t, strings.HasPrefix(i.imported, module+"/sandbox"), "%s imports %s", i.file, i.imported)
	}
}

// forbiddenRoom says why a room of the sandbox may not import a package, "" if
// it may.
func forbiddenRoom(room, imported string) string {
	if imported == module+"/sandbox" {
		return "a room imports the door"
	}
	other, ok := strings.CutPrefix(imported, module+"/sandbox/internal/")
	if !ok {
		return ""
	}
	from, known := sandboxFloor(room)
	to, alsoKnown := sandboxFloor(other)
	switch {
	case !known || !alsoKnown:
		return "a room without a floor"
	case to >= from:
		return "the imported room lies no lower"
	}
	return ""
}

func TestForbiddenRoom(t *testing.T) {
	const internal = module + "/sandbox/internal/"
	for _, c := range []struct{ from, imported string }{
		{"lending", internal + "swap"}, {"lending", internal + "node"}, {"kit", internal + "ledger"},
		{"ledger", internal + "build"}, {"build", internal + "market"}, {"market", internal + "swap"},
		{"swap", internal + "world"}, {"swap", module + "/sandbox"}, {"cellar", internal + "kit"}, {"swap", internal + "cellar"},
	} {
		require.NotEmpty(t, forbiddenRoom(c.from, c.imported), "%s -> %s", c.from, c.imported)
	}
	for _, c := range []struct{ from, imported string }{
		{"lending", internal + "build"}, {"swap", internal + "market"}, {"market", internal + "build"},
		{"build", internal + "ledger"}, {"node", internal + "kit"}, {"world", internal + "lending"},
	} {
		require.Empty(t, forbiddenRoom(c.from, c.imported), "%s -> %s", c.from, c.imported)
	}
}
