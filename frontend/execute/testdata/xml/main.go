// Command xml marshals and unmarshals a document.
package main

import (
	"encoding/xml"
	"fmt"
)

type Address struct {
	City  string `xml:"city"`
	State string `xml:"state,attr"`
}

type Person struct {
	XMLName xml.Name `xml:"person"`
	ID      int      `xml:"id,attr"`
	First   string   `xml:"name>first"`
	Emails  []string `xml:"email"`
	Address *Address `xml:"address"`
	Note    string   `xml:",comment"`
}

func main() {
	b, err := xml.MarshalIndent(Person{ID: 3, First: "A & B", Emails: []string{"x", "y"}, Address: &Address{"C", "S"},
		Note: "n"}, "", " ")
	fmt.Println(string(b), err)
	var p Person
	err = xml.Unmarshal(b, &p)
	fmt.Println(p.ID, p.First, p.Emails, *p.Address, p.Note, err)
	fmt.Println(xml.Unmarshal([]byte("<person><id>"), &p))
}
