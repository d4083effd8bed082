package signing

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"
	"unicode"
)

// IDLs name the instructions of programs as the Anchor IDL files of the programs do. A name
// is the file's word: nothing proves that the program does what its name promises, and the
// guard judges nothing by it. The report quotes it.
type IDLs struct {
	programs map[PublicKey][]named
}

// named is an instruction, and what its data begins with.
type named struct {
	begins []byte
	name   string
}

// mostIDL bounds a file, mostIDLs the files of a folder.
const (
	mostIDL  = 4 << 20
	mostIDLs = 1000
)

// LoadIDLs reads the files *.json of a folder, each the IDL of a program: of Anchor 0.30 and
// later, which state the program's address and each instruction's discriminator, or earlier,
// whose discriminators follow from the names. The address of an earlier one is that of its
// metadata, or the file's name: JUP6....json. A file that is no IDL, and a second one of the
// same program, are an error.
func LoadIDLs(folder fs.FS) (*IDLs, error) {
	entries, err := fs.ReadDir(folder, ".")
	if err != nil {
		return nil, fmt.Errorf("signing: IDLs: %w", err)
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return e.IsDir() || path.Ext(e.Name()) != ".json" })
	if len(entries) > mostIDLs {
		return nil, fmt.Errorf("signing: %d IDL files, of at most %d", len(entries), mostIDLs)
	}
	all := &IDLs{programs: make(map[PublicKey][]named, len(entries))}
	for _, e := range entries {
		if err := all.load(folder, e.Name()); err != nil {
			return nil, fmt.Errorf("signing: IDL %q: %w", e.Name(), err)
		}
	}
	return all, nil
}

// Instruction is the name that a program's IDL gives to an instruction with such data, "" if
// it names none.
func (l *IDLs) Instruction(program PublicKey, data []byte) (name string) {
	if l == nil {
		return ""
	}
	longest := 0
	for _, n := range l.programs[program] {
		if len(n.begins) > longest && bytes.HasPrefix(data, n.begins) {
			longest, name = len(n.begins), n.name
		}
	}
	return name
}

// name names the calls of pinned programs.
func (l *IDLs) name(r *Report) {
	if l == nil {
		return
	}
	for i := range r.Reaches {
		reach := &r.Reaches[i]
		for at, ins := range r.txs[reach.Transaction].Instructions() {
			if at == reach.Instruction {
				reach.Calls = l.Instruction(reach.Program, ins.Data)
			}
		}
	}
}

// idlFile has what is read of a file, of either form.
type idlFile struct {
	Address  string `json:"address"`
	Metadata struct {
		Address string `json:"address"`
	} `json:"metadata"`
	Instructions []struct {
		Name          string   `json:"name"`
		Discriminator []uint16 `json:"discriminator"` // not []byte, which JSON has as base64
	} `json:"instructions"`
}

func (l *IDLs) load(folder fs.FS, file string) error {
	f, err := folder.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostIDL+1))
	if err != nil {
		return err
	}
	if len(text) > mostIDL {
		return fmt.Errorf("more than %d bytes", mostIDL)
	}
	var read idlFile
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	program, err := read.program(strings.TrimSuffix(file, ".json"))
	if err != nil {
		return err
	}
	if _, twice := l.programs[program]; twice {
		return fmt.Errorf("a second one of program %s", program)
	}
	l.programs[program], err = read.named()
	return err
}

// program is the address that the file states, or that its name is. They have to agree.
func (f *idlFile) program(stem string) (program PublicKey, err error) {
	for _, text := range []string{f.Address, f.Metadata.Address} {
		if text == "" {
			continue
		}
		stated, err := ParsePublicKey(text)
		if err != nil {
			return program, fmt.Errorf("its address: %w", err)
		}
		if !program.IsZero() && stated != program {
			return program, errors.New("it states two addresses")
		}
		program = stated
	}
	called, err := ParsePublicKey(stem)
	switch {
	case err != nil && program.IsZero():
		return program, errors.New("neither the file nor its name states the program's address")
	case err == nil && !program.IsZero() && called != program:
		return program, fmt.Errorf("the file is named after another program than the one it states, %s", program)
	case err == nil:
		return called, nil
	}
	return program, nil
}

// named lists the instructions with what their data begins with.
func (f *idlFile) named() ([]named, error) {
	if len(f.Instructions) == 0 {
		return nil, errors.New("it has no instructions")
	}
	all, seen := make([]named, 0, len(f.Instructions)), map[string]bool{}
	for _, ins := range f.Instructions {
		if !identifier(ins.Name) {
			return nil, fmt.Errorf("an instruction with the name %s", printable(ins.Name))
		}
		n := named{name: ins.Name}
		for _, b := range ins.Discriminator {
			if b > math.MaxUint8 {
				return nil, fmt.Errorf("a discriminator of %s that is not of bytes", ins.Name)
			}
			n.begins = append(n.begins, byte(b))
		}
		if n.begins == nil {
			sum := sha256.Sum256([]byte("global:" + snake(ins.Name)))
			n.begins = sum[:8]
		}
		if seen[string(n.begins)] {
			return nil, fmt.Errorf("two instructions with the discriminator of %s", ins.Name)
		}
		seen[string(n.begins)] = true
		all = append(all, n)
	}
	return all, nil
}

// identifier reports whether a name is one of a program's source: of ASCII letters, digits
// and underscores, at most 64.
func identifier(name string) bool {
	return name != "" && len(name) <= 64 && !strings.ContainsFunc(name, func(r rune) bool {
		return r > unicode.MaxASCII || r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// snake is a name as the program's source has it: initPool is init_pool.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
