package program

import (
	_ "embed" // the names
	"strings"
	"sync"
)

//go:embed names.txt
var namesFile string

// familiar are the programs of the file.
var familiar = sync.OnceValue(func() map[Key]string {
	names := map[Key]string{}
	for line := range strings.Lines(namesFile) {
		if id, name, ok := strings.Cut(strings.TrimSpace(line), " "); ok && id != "#" {
			names[key(id)] = name
		}
	}
	return names
})

// FamiliarName is the name of a widely used program that the guard has no rules for, ""
// of any other.
func FamiliarName(id Key) string { return familiar()[id] }

// Name is the common name of a program that the guard has rules for, the name and the
// address of one that is widely used, and the base58 text of any other.
func Name(id Key) string {
	if p := Lookup(&id); p.Name != "" {
		return p.Name
	}
	if name := FamiliarName(id); name != "" {
		return name + " (" + id.String() + ")"
	}
	return id.String()
}
