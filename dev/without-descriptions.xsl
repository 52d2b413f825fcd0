<?xml version="1.0"?>
<!--
  Licensed under the Apache License, Version 2.0 (the "License");
  you may not use this file except in compliance with the License.
  You may obtain a copy of the License at

      http://www.apache.org/licenses/LICENSE-2.0

  Unless required by applicable law or agreed to in writing, software
  distributed under the License is distributed on an "AS IS" BASIS,
  WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
  See the License for the specific language governing permissions and
  limitations under the License.
-->
<!-- Copies names and values of a configuration, and what is final. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output method="xml" indent="no"/>
  <xsl:strip-space elements="configuration property"/>

  <xsl:template match="/configuration">
    <configuration>
      <xsl:for-each select="property">
        <property>
          <xsl:copy-of select="name | value | final"/>
        </property>
      </xsl:for-each>
    </configuration>
  </xsl:template>
</xsl:stylesheet>
